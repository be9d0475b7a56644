/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/call-chain.h"
#include "session/call-sites.h"
#include "wire/attr.h"

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

/* What @attr's stack of five becomes. */
static void assert_entered(const struct attr *attr, const uint64_t *expected)
{
	struct chain_entry items[] = {
		{ 0x100, ADDRESS_KERNEL }, { 0x200, ADDRESS_KERNEL }, { 0x300, ADDRESS_USER },
		{ 0x400, ADDRESS_USER },   { 0, ADDRESS_USER },
	};
	struct call_chain c = { .items = items, .n = ARRAY_SIZE(items) };

	call_chain_enter_calls(&c, attr);
	for (size_t i = 0; i < c.n; i++)
		assert_int_equal(items[i].ip, expected[i]);
}

static void return_addresses_become_those_of_calls(void **state)
{
	(void)state;
	assert_entered(&by_kernel, (const uint64_t[]){ 0x100, 0x1ff, 0x300, 0x3ff, 0 });
	assert_entered(&copied, (const uint64_t[]){ 0x100, 0x1ff, 0x300, 0x400, 0 });
}

static void no_stack_stays_none(void **state)
{
	struct call_chain c = { 0 };

	(void)state;
	call_chain_enter_calls(&c, &by_kernel);
	assert_int_equal(c.n, 0);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
