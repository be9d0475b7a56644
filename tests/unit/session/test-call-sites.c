/* SPDX-License-Identifier: MIT */
#include "leaf-program.h"

#include "base/cleanup.h"
#include "session/call-chain.h"
#include "session/call-sites.h"
#include "session/internal.h"
#include "wire/attr.h"
#include "skip.h"

static const struct attr by_kernel = { .sample_type = PERF_SAMPLE_CALLCHAIN };
static const struct attr copied = { .sample_type = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER,
				    .exclude_callchain_user = 1 };
static const struct attr while_recording = { .sample_type = PERF_SAMPLE_CALLCHAIN,
					     .exclude_callchain_user = 1 };

static void stacks_that_the_kernel_was_not_to_follow_are_unwound(void **state)
{
	(void)state;
	assert_false(stacks_are_unwound(&by_kernel));
	assert_true(stacks_are_unwound(&copied));
	assert_true(stacks_are_unwound(&while_recording));
}

static void inlined_functions_are_shown_in_unwound_stacks_unless_told_otherwise(void **state)
{
	(void)state;
	assert_int_equal(inlines_of(INLINES_UNWOUND, &while_recording), INLINES_UNWOUND);
	assert_int_equal(inlines_of(INLINES_UNWOUND, &by_kernel), INLINES_NONE);
	assert_int_equal(inlines_of(INLINES_ALL, &by_kernel), INLINES_ALL);
	assert_int_equal(inlines_of(INLINES_NONE, &copied), INLINES_NONE);
}

static void only_programs_are_unwound(void **state)
{
	(void)state;
	assert_true(inlines_are_shown(INLINES_UNWOUND, ADDRESS_USER));
	assert_false(inlines_are_shown(INLINES_UNWOUND, ADDRESS_KERNEL));
	assert_true(inlines_are_shown(INLINES_ALL, ADDRESS_KERNEL));
	assert_false(inlines_are_shown(INLINES_NONE, ADDRESS_USER));
}

/* Checks the result for @attr's stack of five entries. */
static void assert_entered(const struct attr *attr, const uint64_t *expected)
{
	struct chain_entry items[] = {
		{ 0x100, ADDRESS_KERNEL, false, false }, { 0x200, ADDRESS_KERNEL, true, false },
		{ 0x300, ADDRESS_USER, false, false },   { 0x400, ADDRESS_USER, true, false },
		{ 0, ADDRESS_USER, true, false },
	};
	struct call_chain c = { .items = items, .n = ARRAY_SIZE(items) };
	const struct session s = { .with_symbols = false };

	call_chain_mark_unwound(&c, attr);
	call_chain_enter_calls(&c, &s, 1, 0);
	for (size_t i = 0; i < c.n; i++) {
		assert_int_equal(items[i].ip, expected[i]);
		assert_false(items[i].is_return);
	}
}

static void return_addresses_become_those_of_calls(void **state)
{
	(void)state;
	assert_entered(&by_kernel, (const uint64_t[]){ 0x100, 0x1ff, 0x300, 0x3ff, 0 });
	assert_entered(&copied, (const uint64_t[]){ 0x100, 0x1ff, 0x300, 0x400, 0 });
}

static void no_stack_stays_none(void **state)
{
	const struct session s = { .with_symbols = false };
	struct call_chain c = { 0 };

	(void)state;
	call_chain_mark_unwound(&c, &by_kernel);
	call_chain_enter_calls(&c, &s, 1, 0);
	assert_int_equal(c.n, 0);
}

/* The stack has a handler, the place it returns to, the interrupted function, and its callers. */
static void what_a_signal_interrupted_did_not_call(void **state)
{
	struct call_chain c = { 0 };
	struct leaf_program p;

	(void)state;
	leaf_program_map(&p, ".eh_frame", 10);
	leaf_program_open(&p);

	struct session *s = p.session;
	uint64_t text = p.text;
	const uint64_t chain[] = {
		PERF_CONTEXT_USER,  text + LEAF_LEAF,     text + LEAF_CALLS + 4,
		text + LEAF_SIGNAL, text + LEAF_LEAF + 4, text + LEAF_CALLS + 4
	};
	const struct sample sample = { .misc = PERF_RECORD_MISC_USER,
				       .pid = LEAF_PID,
				       .chain = { .bytes = (const uint8_t *)chain, .n = 6 } };

	call_chain_take(&c, s, &sample, 20, 127);
	assert_int_equal(c.n, 5);
	for (unsigned round = 0; round < 2; round++) { /* asked, then remembered */
		assert_false(call_chain_is_call(&c, s, LEAF_PID, 20, 0));
		assert_true(call_chain_is_call(&c, s, LEAF_PID, 20, 1));
		assert_false(call_chain_is_call(&c, s, LEAF_PID, 20, 2));
		assert_false(call_chain_is_call(&c, s, LEAF_PID, 20, 3));
		assert_true(call_chain_is_call(&c, s, LEAF_PID, 20, 4));
	}
	call_chain_enter_calls(&c, s, LEAF_PID, 20);
	assert_int_equal(c.items[1].ip, text + LEAF_CALLS + 3);
	assert_int_equal(c.items[2].ip, text + LEAF_SIGNAL);
	assert_int_equal(c.items[3].ip, text + LEAF_LEAF + 4);
	call_chain_done(&c);
	leaf_program_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_that_the_kernel_was_not_to_follow_are_unwound),
		cmocka_unit_test(
			inlined_functions_are_shown_in_unwound_stacks_unless_told_otherwise),
		cmocka_unit_test(only_programs_are_unwound),
		cmocka_unit_test(return_addresses_become_those_of_calls),
		cmocka_unit_test(no_stack_stays_none),
		cmocka_unit_test(what_a_signal_interrupted_did_not_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
