/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/trace/call.h"
#include "analysis/trace/summary.h"
#include "analysis/trace/tasks.h"
#include "view/printed.h"
#include "view/trace/summary-screen.h"

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

static void expect(struct trace_screen *v, struct trace_screen_size size, struct trace_summary *s,
		   const char *wanted)
{
	struct printed p;

	printed_open(&p);
	trace_screen_draw(v, p.out, size, s, 12 * 1000000000ULL);
	assert_printed(&p, wanted);
}

/* The last calls of the example do not fit into twelve rows. */
#define TABLE                                                                                      \
	"\0337\033[7;1H After 12 s, most time first; 4 of 6:\033[K"                                \
	"\033[8;1H syscall             calls errors   total ms    avg ms    max ms of\033[K"       \
	"\033[9;1H fstat                   1      0     32.000    32.000    32.000 ls/7\033[K"     \
	"\033[10;1H stat                    1      0     16.000    16.000    16.000 ls/7\033[K"    \
	"\033[11;1H close                   1      0      8.000     8.000     8.000 ls/7\033[K"    \
	"\033[12;1H open                    1      0      4.000     4.000     4.000 ls/7\033[K"    \
	"\0338"

static void the_table_takes_the_lower_half(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(TRACE_SUMMARY_THREAD,
									 "ls");
	struct trace_screen v = { 0 };
	struct trace_screen_size size = { .rows = 12, .columns = 80 };
	struct printed p;

	(void)state;
	expect(&v, size, s, "\n\n\n\n\n\n\033[6A\0337\033[1;6r\0338" TABLE);
	/* The room is there now. */
	expect(&v, size, s, TABLE);
	printed_open(&p);
	trace_screen_clear(&v, p.out);
	assert_printed(&p, "\0337\033[r\033[7;1H\033[J\0338");
	printed_open(&p);
	trace_screen_clear(&v, p.out);
	assert_printed(&p, "");
}

static void a_terminal_of_another_size_is_begun_anew(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(TRACE_SUMMARY_THREAD,
									 "ls");
	struct trace_screen v = { .size = { .rows = 40, .columns = 80 }, .lines = 14 };

	(void)state;
	expect(&v, (struct trace_screen_size){ .rows = 12, .columns = 80 }, s,
	       "\0337\033[r\033[27;1H\033[J\0338"
	       "\n\n\n\n\n\n\033[6A\0337\033[1;6r\0338" TABLE);
}

static void a_small_terminal_has_no_table(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(TRACE_SUMMARY_THREAD,
									 "ls");
	struct trace_screen v = { 0 };

	(void)state;
	expect(&v, (struct trace_screen_size){ .rows = 11, .columns = 80 }, s, "");
	expect(&v, (struct trace_screen_size){ .rows = 50, .columns = 39 }, s, "");
	expect(&v, (struct trace_screen_size){ 0 }, s, "");
}

static void lines_end_with_the_terminal_and_names_are_escaped(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(TRACE_SUMMARY_CGROUP,
									 "unused");
	struct trace_screen v = { .size = { .rows = 13, .columns = 73 }, .lines = 3 };

	(void)state;
	trace_summary_group(s, 0, "/\xc3\xa4\xc3\xb6\xc3\xbc\033[2J");
	expect(&v, (struct trace_screen_size){ .rows = 13, .columns = 73 }, s,
	       "\0337\033[11;1H After 12 s, most time first; 1 of 6:\033[K"
	       "\033[12;1H syscall             calls errors   total ms    avg ms    max ms of\033[K"
	       "\033[13;1H fstat                   1      0     32.000    32.000    32.000 "
	       "/\xc3\xa4\xc3\xb6\xc3\xbc\\x1b\033[K\0338");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_takes_the_lower_half),
		cmocka_unit_test(a_terminal_of_another_size_is_begun_anew),
		cmocka_unit_test(a_small_terminal_has_no_table),
		cmocka_unit_test(lines_end_with_the_terminal_and_names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
