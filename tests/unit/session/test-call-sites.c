/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <config.h>

#include "base/cleanup.h"
#include "session/call-chain.h"
#include "session/call-chain.h"
#include "session/call-sites.h"
#include "session/internal.h"
#include "symbol/symbolizer.h"
#include "unwind/leaf-elf.h"
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
		{ 0x100, ADDRESS_KERNEL, false }, { 0x200, ADDRESS_KERNEL, true },
		{ 0x300, ADDRESS_USER, false },   { 0x400, ADDRESS_USER, true },
		{ 0, ADDRESS_USER, true },
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

#define PID  7
#define BASE 0xaaaa00000000

static struct session *open_with(struct recording *rec, struct symbolizer *symbolizer)
{
	_cleanup_(bytes_done) struct bytes file = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s;
	char path[32];

	write_file(rec, &file);
	rec->fd = memfd_create("recording", MFD_CLOEXEC);
	assert_int_equal(write(rec->fd, file.data, file.n), file.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", rec->fd);
	assert_int_equal(
		session_open(&(struct session_options){ .path = path, .symbolizer = symbolizer },
			     &s, &diag),
		0);
	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

/* A handler, where it returns to, what was interrupted, and its callers. */
static void what_a_signal_interrupted_did_not_call(void **state)
{
	static struct built_elf built;
	struct recording rec = recording_new();
	struct symbolizer *symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	uint64_t text = BASE + leaf_elf_build(&built, ".eh_frame");
	int program = memfd_create("program", MFD_CLOEXEC);
	struct call_chain c = { 0 };
	struct session *s;
	char path[32];

	(void)state;
	if (!HAVE_LIBELF)
		skip();
	assert_int_equal(write(program, built.bytes, built.size), built.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", program);
	mmaps(&rec, PID, BASE, 0x10000, path, 10);
	s = open_with(&rec, symbolizer);

	const uint64_t chain[] = {
		PERF_CONTEXT_USER,  text + LEAF_LEAF,     text + LEAF_CALLS + 4,
		text + LEAF_SIGNAL, text + LEAF_LEAF + 4, text + LEAF_CALLS + 4
	};
	const struct sample sample = { .misc = PERF_RECORD_MISC_USER,
				       .pid = PID,
				       .chain = { .bytes = (const uint8_t *)chain, .n = 6 } };

	call_chain_take(&c, s, &sample, 20, 127);
	assert_int_equal(c.n, 5);
	for (unsigned round = 0; round < 2; round++) { /* asked, then remembered */
		assert_false(call_chain_is_call(&c, s, PID, 20, 0));
		assert_true(call_chain_is_call(&c, s, PID, 20, 1));
		assert_false(call_chain_is_call(&c, s, PID, 20, 2));
		assert_false(call_chain_is_call(&c, s, PID, 20, 3));
		assert_true(call_chain_is_call(&c, s, PID, 20, 4));
	}
	call_chain_enter_calls(&c, s, PID, 20);
	assert_int_equal(c.items[1].ip, text + LEAF_CALLS + 3);
	assert_int_equal(c.items[2].ip, text + LEAF_SIGNAL);
	assert_int_equal(c.items[3].ip, text + LEAF_LEAF + 4);
	call_chain_done(&c);
	session_free(s);
	symbolizer_free(symbolizer);
	recording_done(&rec);
	close(program);
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
