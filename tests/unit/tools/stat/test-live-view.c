/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stat-sample.h"
#include "tools/stat/history-model.h"
#include "tools/stat/live-view.h"

static void assert_live(struct stat_live *l, const struct stat_view *v, const struct stat_table *t,
			unsigned columns, const char *wanted)
{
	const struct stat_live_style style = { .columns = columns, .ascii = true };
	struct printed p;

	printed_open(&p);
	stat_live_print(l, v, t, &style, p.out);
	assert_printed(&p, wanted);
}

static const struct stat_view plain = { .title = { STAT_TARGET_SYSTEM, NULL } };

static void a_row_has_count_rate_past_and_metric(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(task_clock, 2000), METRICS(1, METRIC(2, NUMBER, "CPUs utilized")) },
		{ COUNTED(cs, 40), METRICS(1, RATE(0.02, "K/sec")) },
		{ PARTLY(cycles, 3000000, 250000, 1000000), METRICS(1, RATE(1.5, "GHz")) },
		{ UNCOUNTED(branches, SUPPORTED) },
	};
	struct stat_table t = { ROWS(rows), .interval = true, .time_ns = 2000000000 };
	_cleanup_(history_freep) struct history *past = history_new();
	struct stat_live l = { .past = past };

	(void)state;
	assert_live(
		&l, &plain, &t, 79,
		"After 2.000 seconds, of the last 2000 ms:\n"
		"\n"
		" event                 count  per second  intervals         metric\n"
		" task-clock     2000.00 msec     1.0 K/s                 #  2.000 CPUs utilized\n"
		" cs                       40    20.0  /s                 #\n"
		" cycles              3000000     1.5 M/s                 #  1.500 GHz (25%)\n"
		" branches    <not supported>\n");
	t.time_ns = 4500000000;
	assert_live(&l, &plain, &t, 48,
		    "After 4.500 seconds, of the last 2500 ms:\n"
		    "\n"
		    " event                 count  per second  past\n"
		    " task-clock     2000.00 msec   800.0  /s    #*\n"
		    " cs                       40    16.0  /s    #*\n"
		    " cycles              3000000     1.2 M/s    #*\n"
		    " branches    <not supported>\n");
}

static void units_and_cgroups_have_a_column(void **state)
{
	static const struct stat_event in_cgroup = { .name = "cs",
						     .unit = "",
						     .cgroup = "a/\033b" };
	const struct stat_row rows[] = { { COUNTED(cs, 40), .unit = &unit },
					 { COUNTED(in_cgroup, 7), .unit = &unit } };
	struct stat_table t = {
		.aggregation = STAT_CPU, ROWS(rows), .interval = true, .time_ns = 1000000000
	};
	_cleanup_(history_freep) struct history *past = history_new();
	struct stat_live l = { .past = past };

	(void)state;
	assert_live(&l, &plain, &t, 50,
		    "After 1.000 seconds, of the last 1000 ms:\n"
		    "\n"
		    "               event  count  per second  past\n"
		    " CPU3          cs        40    40.0  /s        #\n"
		    " CPU3 a/\\x1bb  cs         7     7.0  /s        #\n");
}

static void further_metrics_have_lines_of_their_own(void **state)
{
	const struct stat_row rows[] = { { COUNTED(cycles, 100),
					   METRICS(2, METRIC(1.5, RATIO, "insn per cycle"),
						   METRIC(3, NUMBER, "stalls")) } };
	struct stat_table t = { ROWS(rows), .interval = true, .time_ns = 1000000000 };
	_cleanup_(history_freep) struct history *past = history_new();
	struct stat_live l = { .past = past };

	(void)state;
	assert_live(&l, &plain, &t, 70,
		    "After 1.000 seconds, of the last 1000 ms:\n"
		    "\n"
		    " event   count  per second  intervals              metric\n"
		    " cycles    100   100.0  /s                      #  1.50 insn per cycle\n"
		    "                                                   3.000 stalls\n");
}

static void metrics_alone_have_a_row_each(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 100), METRICS(1, METRIC(1.5, RATIO, "insn per cycle")) },
		{ UNCOUNTED(branches, COUNTED), METRICS(1, UNKNOWN(PERCENT, "of all branches")) },
	};
	struct stat_table t = { ROWS(rows), .interval = true, .time_ns = 1000000000 };
	const struct stat_view v = { .style.metric_only = true };
	_cleanup_(history_freep) struct history *past = history_new();
	struct stat_live l = { .past = past };

	(void)state;
	assert_live(&l, &v, &t, 50,
		    "After 1.000 seconds, of the last 1000 ms:\n"
		    "\n"
		    " metric           value  intervals\n"
		    " insn per cycle   1.50                         #\n"
		    " of all branches\n");
}

static void long_names_are_cut(void **state)
{
	static const struct stat_event odd =
		EVENT("a_very_long_name_of_an_event_with_\xe6\x97\xa5");
	const struct stat_row rows[] = { { COUNTED(odd, 100) } };
	struct stat_table t = { ROWS(rows), .interval = true, .time_ns = 1000000000 };
	_cleanup_(history_freep) struct history *past = history_new();
	struct stat_live l = { .past = past };

	(void)state;
	assert_live(&l, &plain, &t, 50,
		    "After 1.000 seconds, of the last 1000 ms:\n"
		    "\n"
		    " event               count  per second  past\n"
		    " a_very_long_name_~    100   100.0  /s         #\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_count_rate_past_and_metric),
		cmocka_unit_test(units_and_cgroups_have_a_column),
		cmocka_unit_test(further_metrics_have_lines_of_their_own),
		cmocka_unit_test(metrics_alone_have_a_row_each),
		cmocka_unit_test(long_names_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
