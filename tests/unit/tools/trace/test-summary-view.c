/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/summary-model.h"
#include "tools/trace/summary-view.h"
#include "tools/trace/tasks-model.h"
#include "view/printed.h"

/* Numbers of x86_64. */
enum {
	NR_READ = 0,
	NR_OPENAT = 257
};

#define HEAD                                                                                       \
	"   syscall            calls  errors  total       min       avg       max       stddev\n"  \
	"                                     (msec)    (msec)    (msec)    (msec)        (%)\n"   \
	"   --------------- --------  ------ -------- --------- --------- ---------     ------\n"

static void add(struct trace_summary *s, struct trace_task *task, int nr, uint64_t ns,
		int64_t result)
{
	trace_summary_add(s, &(struct trace_call){ .task = task,
						   .abi = SYSCALL_ABI_X86_64,
						   .nr = nr,
						   .has_enter = true,
						   .enter_ns = 1,
						   .exit_ns = 1 + ns,
						   .result = result });
}

static struct trace_summary *example(enum trace_summary_mode mode)
{
	struct trace_summary *s = trace_summary_new(mode);
	struct trace_task ls = { .tid = 29001, .comm = "ls", .cgroup = 3 },
			  evil = { .tid = 2, .comm = "e\033[31m", .cgroup = 4 };

	add(s, &ls, NR_OPENAT, 12000, 3);
	add(s, &ls, NR_OPENAT, 3000, -2);
	add(s, &ls, NR_READ, 18443000, 0);
	add(s, &evil, NR_READ, 1000, 0);
	return s;
}

static void expect(enum trace_summary_mode mode, const struct trace_summary_style *style,
		   const char *wanted)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s = example(mode);
	struct printed p;

	if (mode == TRACE_SUMMARY_CGROUP)
		trace_summary_group(s, 3, "/system.slice");
	printed_open(&p);
	trace_summary_print(p.out, s, style);
	assert_printed(&p, wanted);
}

static void each_thread_has_a_table(void **state)
{
	(void)state;
	expect(TRACE_SUMMARY_THREAD, &(struct trace_summary_style){ 0 },
	       "\n Summary of events:\n\n"
	       " e\\x1b[31m (2), 2 events, 25.0%\n\n" HEAD
	       "   read                   1      0     0.001     0.001     0.001     0.001      "
	       "0.00%\n\n\n"
	       " ls (29001), 6 events, 75.0%\n\n" HEAD
	       "   read                   1      0    18.443    18.443    18.443    18.443      "
	       "0.00%\n"
	       "   openat                 2      1     0.015     0.003     0.007     0.012     "
	       "60.00%\n\n\n");
}

static void the_total_has_no_name_and_no_share(void **state)
{
	(void)state;
	expect(TRACE_SUMMARY_TOTAL, &(struct trace_summary_style){ .max_rows = 1 },
	       "\n Summary of events:\n\n"
	       " total, 8 events\n\n" HEAD
	       "   read                   2      0    18.444     0.001     9.222    18.443     "
	       "99.99%\n\n\n");
}

static void errors_stand_below_their_call(void **state)
{
	(void)state;
	expect(TRACE_SUMMARY_CGROUP, &(struct trace_summary_style){ .shows_errnos = true },
	       "\n Summary of events:\n\n"
	       " cgroup 4 (removed), 2 events\n\n" HEAD
	       "   read                   1      0     0.001     0.001     0.001     0.001      "
	       "0.00%\n\n\n"
	       " cgroup /system.slice, 6 events\n\n" HEAD
	       "   read                   1      0    18.443    18.443    18.443    18.443      "
	       "0.00%\n"
	       "   openat                 2      1     0.015     0.003     0.007     0.012     "
	       "60.00%\n"
	       "\t\t\t\tENOENT: 1\n\n\n");
}

static void quantiles_are_columns_and_rows_are_bars(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_TOTAL);
	struct trace_task ls = { .tid = 29001, .comm = "ls" };
	struct printed p;

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		add(s, &ls, NR_READ, 600, 0);
	add(s, &ls, NR_READ, 2500, 0);
	printed_open(&p);
	trace_summary_print(
		p.out, s,
		&(struct trace_summary_style){ .shows_quantiles = true, .shows_rows = true });
	assert_printed(
		&p,
		"\n Summary of events:\n\n"
		" total, 122 events\n\n"
		"   syscall            calls  errors  total       min       avg       p50       "
		"p99 "
		"      max       stddev\n"
		"                                     (msec)    (msec)    (msec)    (msec)    "
		"(msec)    (msec)        (%)\n"
		"   --------------- --------  ------ -------- --------- --------- --------- "
		"--------- ---------     ------\n"
		"   read                  61      0     0.038     0.001     0.001     0.001     "
		"0.002     0.003      4.94%\n"
		"         512 ns - 1.02 us       60 |########################################|\n"
		"        1.02 us - 2.05 us        0 |                                        |\n"
		"        2.05 us - 4.10 us        1 |#                                       "
		"|\n\n\n");
}

static void faults_and_run_time_follow_the_events(void **state)
{
	_cleanup_(trace_summary_freep) struct trace_summary *s =
		trace_summary_new(TRACE_SUMMARY_THREAD);
	struct trace_summary_group *g = trace_summary_group(s, 5, "ls");
	struct printed p;

	(void)state;
	g->events = 87;
	g->major_faults = 3;
	g->minor_faults = 84;
	g->runtime_ns = 1119000;
	trace_summary_group(s, 6, "never seen");
	printed_open(&p);
	trace_summary_print(p.out, s, &(struct trace_summary_style){ .shows_runtime = true });
	assert_printed(&p,
		       "\n Summary of events:\n\n"
		       " ls (5), 87 events, 100.0%, 3 majfaults, 84 minfaults, 1.119 msec\n\n" HEAD
		       "\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_has_a_table),
		cmocka_unit_test(the_total_has_no_name_and_no_share),
		cmocka_unit_test(errors_stand_below_their_call),
		cmocka_unit_test(quantiles_are_columns_and_rows_are_bars),
		cmocka_unit_test(faults_and_run_time_follow_the_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
