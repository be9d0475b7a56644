/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/summary-model.h"
#include "tools/trace/summary-top-view.h"
#include "tools/trace/tasks-model.h"
#include "view/printed.h"

static struct trace_summary *example(enum trace_summary_mode mode, const char *comm)
{
	struct trace_summary *s = trace_summary_new(mode);
	struct trace_task task = { .tid = 7, .comm = comm };

	for (int nr = 0; nr < 6; nr++)
		trace_summary_add(s, &(struct trace_call){ .task = &task,
							   .abi = SYSCALL_ABI_X86_64,
							   .nr = nr,
							   .has_enter = true,
							   .enter_ns = 1,
							   .exit_ns = 1 + (1000000ULL << nr) });
	return s;
}

static void expect(struct trace_summary *s, size_t max, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	trace_top_print(p.out, s, 12 * 1000000000ULL, max);
	assert_printed(&p, wanted);
}

static void calls_with_the_most_time_come_first(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(TRACE_SUMMARY_THREAD,
									 "ls");

	(void)state;
	expect(s, 4,
	       " After 12.0 s, most time first; 4 of 6:\n"
	       " syscall             calls errors   total ms    avg ms    max ms of\n"
	       " fstat                   1      0     32.000    32.000    32.000 ls/7\n"
	       " stat                    1      0     16.000    16.000    16.000 ls/7\n"
	       " close                   1      0      8.000     8.000     8.000 ls/7\n"
	       " open                    1      0      4.000     4.000     4.000 ls/7\n");
}

static void names_are_escaped(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(TRACE_SUMMARY_CGROUP,
									 "unused");

	(void)state;
	trace_summary_group(s, 0, "/\xc3\xa4\xc3\xb6\xc3\xbc\033[2J");
	expect(s, 1,
	       " After 12.0 s, most time first; 1 of 6:\n"
	       " syscall             calls errors   total ms    avg ms    max ms of\n"
	       " fstat                   1      0     32.000    32.000    32.000 "
	       "/\xc3\xa4\xc3\xb6\xc3\xbc\\x1b[2J\n");
}

static void without_calls_there_are_headings(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_TOTAL);

	(void)state;
	expect(s, 1000,
	       " After 12.0 s, most time first; 0 of 0:\n"
	       " syscall             calls errors   total ms    avg ms    max ms\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_with_the_most_time_come_first),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(without_calls_there_are_headings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
