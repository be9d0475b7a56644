/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>

#include "stat-sample.h"
#include "tools/stat/csv-view.h"
#include "view/printed.h"

static const struct stat_view commas = { .style = { .separator = ",", .csv_summary = true } };

static void assert_csv(const struct stat_view *view, const struct stat_table *t, const char *wanted)
{
	struct stat_view v = *view;

	assert_shown(stat_csv_print, &v, t, wanted);
}

static void a_row_has_seven_fields(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(task_clock, 950.123456), METRICS(1, RATE(0.950123, "CPUs utilized")) },
		{ PARTLY(cycles, 3595828838, 834300, 1000000), METRICS(1, UNKNOWN(NUMBER, "GHz")) },
		{ COUNTED(backend, 900000000),
		  METRICS(1, METRIC(20, PERCENT, "backend cycles idle")) },
		{ COUNTED(branches, 1) },
		{ COUNTED(cs, 1), METRICS(1, METRIC(-4, TOPDOWN, "backend bound")) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_csv(&commas, &t,
		   "950.12,msec,task-clock,1000000,100.00,0.950,CPUs utilized\n"
		   "3595828838,,cycles,834300,83.43,,\n"
		   "900000000,,stalled-cycles-backend,1000000,100.00,20.00,backend cycles idle\n"
		   "1,,branches,1000000,100.00,,\n"
		   "1,,cs,1000000,100.00,-4.0,backend bound\n");
}

static void what_was_not_counted_keeps_its_fields(void **state)
{
	const struct stat_row rows[] = {
		{ UNCOUNTED(cycles, COUNTED), METRICS(1, METRIC(1, NUMBER, "GHz")) },
		{ UNCOUNTED(instructions, SUPPORTED) },
		{ COUNTED(cs, 12) },
	};
	const struct stat_row never_ran[] = { { UNCOUNTED(branches, COUNTED),
						RAN_FOR(0, 1000000) } };
	const struct stat_table t = { ROWS(rows), .runs = 3 }, u = { ROWS(never_ran), .runs = 1 };

	(void)state;
	assert_csv(&commas, &t,
		   "<not counted>,,cycles,0.00%,0,100.00,,\n"
		   "<not supported>,,instructions,0.00%,0,100.00,,\n"
		   "12,,cs,0.00%,1000000,100.00,,\n");
	assert_csv(&commas, &u, "<not counted>,,branches,0,0.00,,\n");
}

/* In perf 6.1 second metrics are off by a field in most modes, and have no field for noise. */
static void a_second_metric_stands_below_the_first(void **state)
{
	const struct stat_event in_a = { "instructions", "", "a", false };
	const struct stat_row rows[] = {
		{ COUNTED(in_a, 9), .noise = 1.25, .unit = &unit, .n_cpus = 2,
		  METRICS(2, METRIC(1.5, RATIO, "insn per cycle"),
			  METRIC(0.2, RATIO, "stalled cycles per insn")) },
	};
	struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_csv(&commas, &t,
		   "9,,instructions,1000000,100.00,1.50,insn per cycle\n"
		   ",,,,,0.20,stalled cycles per insn\n");
	t.has_cgroups = true;
	assert_csv(&commas, &t,
		   "9,,instructions,a,1000000,100.00,1.50,insn per cycle\n"
		   ",,,,,,0.20,stalled cycles per insn\n");
	t.runs = 2;
	assert_csv(&commas, &t,
		   "9,,instructions,a,1.25%,1000000,100.00,1.50,insn per cycle\n"
		   ",,,,,,,0.20,stalled cycles per insn\n");
	t.aggregation = STAT_CORE;
	t.interval = true;
	assert_csv(&commas, &t,
		   "     0.000000000,S0-D1-C4,2,9,,instructions,a,1.25%,1000000,100.00,"
		   "1.50,insn per cycle\n"
		   "     0.000000000,S0-D1-C4,2,,,,,,,,0.20,stalled cycles per insn\n");
}

static void a_second_metric_stands_alone_if_the_first_is_not_known(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(instructions, 9),
		  METRICS(2, UNKNOWN(RATIO, "insn per cycle"), METRIC(0.2, RATIO, "stalls")) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_csv(&commas, &t, "9,,instructions,1000000,100.00,,\n,,,,,0.20,stalls\n");
}

static void metrics_of_one_line_are_more_fields(void **state)
{
	const struct stat_event smi = EVENT("msr/smi/"), aperf = EVENT("msr/aperf/");
	const struct stat_row rows[] = {
		{ COUNTED(smi, 5), METRICS(2, METRIC(3.2258, TOPDOWN, "SMI cycles%"),
					   { .known = true,
					     .value = 5,
					     .format = STAT_FORMAT_SMALL,
					     .unit = "SMI#",
					     .same_line = true }) },
		{ COUNTED(aperf, 3100000000) },
		{ COUNTED(cycles, 3000000000) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_csv(&commas, &t,
		   "5,,msr/smi/,1000000,100.00,3.2,SMI cycles%,5,SMI#\n"
		   "3100000000,,msr/aperf/,1000000,100.00,,\n"
		   "3000000000,,cycles,1000000,100.00,,\n");
}

static void every_aggregation_has_its_fields(void **state)
{
	static const char *const wanted[] = {
		[STAT_GLOBAL] = "1,,cs,1000000,100.00,,\n",
		[STAT_CPU] = "CPU3,1,,cs,1000000,100.00,,\n",
		[STAT_CORE] = "S0-D1-C4,2,1,,cs,1000000,100.00,,\n",
		[STAT_DIE] = "S0-D1,2,1,,cs,1000000,100.00,,\n",
		[STAT_SOCKET] = "S0,2,1,,cs,1000000,100.00,,\n",
		[STAT_NODE] = "N2,2,1,,cs,1000000,100.00,,\n",
		[STAT_CACHE] = "S0-D1-L3-ID2,2,1,,cs,1000000,100.00,,\n",
		[STAT_CLUSTER] = "S0-D1-CLS5,2,1,,cs,1000000,100.00,,\n",
		[STAT_THREAD] = "sleep-4,1,,cs,1000000,100.00,,\n",
	};
	const struct stat_row rows[] = { { COUNTED(cs, 1), .unit = &unit, .n_cpus = 2 } };

	(void)state;
	for (enum stat_aggregation a = STAT_GLOBAL; a <= STAT_THREAD; a++)
		assert_csv(&commas, &(struct stat_table){ ROWS(rows), .aggregation = a, .runs = 1 },
			   wanted[a]);
}

static void a_summary_is_marked_unless_that_is_not_wanted(void **state)
{
	const struct stat_unit cpu0 = { .cpu = 0 }, cpu1 = { .cpu = 1 };
	const struct stat_row rows[] = { { COUNTED(cs, 10), .unit = &cpu0 },
					 { COUNTED(cs, 11), .unit = &cpu1 } };
	struct stat_table t = { ROWS(rows), .aggregation = STAT_CPU, .interval = true,
				.time_ns = 100000000 };
	struct stat_view v = commas;
	struct printed p;

	(void)state;
	printed_open(&p);
	stat_csv_print(&v, &t, p.out);
	t.summary = true;
	stat_csv_print(&v, &t, p.out);
	assert_printed(&p, "     0.100000000,CPU0,10,,cs,1000000,100.00,,\n"
			   "     0.100000000,CPU1,11,,cs,1000000,100.00,,\n"
			   "         summary,CPU0,10,,cs,1000000,100.00,,\n"
			   "         summary,CPU1,11,,cs,1000000,100.00,,\n");
	v.style.csv_summary = false;
	assert_csv(&v, &t, "CPU0,10,,cs,1000000,100.00,,\nCPU1,11,,cs,1000000,100.00,,\n");
}

static void the_separator_is_any_text_and_nothing_is_quoted(void **state)
{
	const struct stat_event e = EVENT("cpu/a,percore/"), broken = EVENT("a\nb");
	const struct stat_row rows[] = { { COUNTED(e, 1) }, { COUNTED(broken, 1) } };
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_csv(&commas, &t, "1,,cpu/a,percore/,1000000,100.00,,\n1,,a\\nb,1000000,100.00,,\n");
	assert_csv(&(struct stat_view){ .style.separator = "::" }, &t,
		   "1::::cpu/a,percore/::1000000::100.00::::\n"
		   "1::::a\\nb::1000000::100.00::::\n");
}

static void only_metrics_have_one_heading(void **state)
{
	const struct stat_unit node0 = { .node = 0 }, node1 = { .node = 1 };
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 1), .unit = &node0, .n_cpus = 2,
		  METRICS(1, METRIC(1.049, NUMBER, "GHz")) },
		{ COUNTED(branch_misses, 1), .unit = &node0, .n_cpus = 2,
		  METRICS(1, OF_ALL(1.5, PERCENT, "of all branches")) },
		{ COUNTED(cycles, 1), .unit = &node1, .n_cpus = 2,
		  METRICS(1, UNKNOWN(NUMBER, "GHz")) },
		{ COUNTED(branch_misses, 1), .unit = &node1, .n_cpus = 2,
		  METRICS(1, OF_ALL(2, PERCENT, "of all branches")) },
	};
	struct stat_table t = { ROWS(rows), .aggregation = STAT_NODE, .runs = 1 };
	struct stat_view v = commas;

	(void)state;
	v.style.metric_only = true;
	assert_csv(&v, &t,
		   "node,cpus,GHz,branch-misses of all branches,\n"
		   "N0,2,1.049,1.50,\n"
		   "N1,2,,2.00,\n");
	t.interval = true;
	assert_shown(stat_csv_print, &v, &t,
		     " time,node,cpus,GHz,branch-misses of all branches,\n"
		     "     0.000000000,N0,2,1.049,1.50,\n"
		     "     0.000000000,N1,2,,2.00,\n");
	v.intervals = 25;
	t.summary = true;
	assert_shown(stat_csv_print, &v, &t,
		     "         summary,N0,2,1.049,1.50,\n         summary,N1,2,,2.00,\n");
}

/* perf 6.1 prints the locale's decimal comma, which cannot be distinguished from the separator. */
static void the_locale_has_no_say(void **state)
{
	const struct stat_row rows[] = { { COUNTED(task_clock, 1950.12),
					   METRICS(1, RATE(0.95, "CPUs utilized")) } };
	const struct stat_table t = { ROWS(rows), .runs = 1 };
	struct stat_view v = commas;
	struct printed p;

	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		print_message("# there is no locale de_DE.UTF-8\n");
		skip();
	}
	v.style.big_num = true;
	printed_open(&p);
	stat_csv_print(&v, &t, p.out);
	setlocale(LC_ALL, "C");
	assert_printed(&p, "1950.12,msec,task-clock,1000000,100.00,0.950,CPUs utilized\n");
}

static void a_null_run_prints_nothing(void **state)
{
	struct stat_view v = commas;

	(void)state;
	v.style.null_run = v.style.metric_only = true;
	assert_csv(&v, &(struct stat_table){ .runs = 1 }, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_seven_fields),
		cmocka_unit_test(what_was_not_counted_keeps_its_fields),
		cmocka_unit_test(a_second_metric_stands_below_the_first),
		cmocka_unit_test(a_second_metric_stands_alone_if_the_first_is_not_known),
		cmocka_unit_test(metrics_of_one_line_are_more_fields),
		cmocka_unit_test(every_aggregation_has_its_fields),
		cmocka_unit_test(a_summary_is_marked_unless_that_is_not_wanted),
		cmocka_unit_test(the_separator_is_any_text_and_nothing_is_quoted),
		cmocka_unit_test(only_metrics_have_one_heading),
		cmocka_unit_test(the_locale_has_no_say),
		cmocka_unit_test(a_null_run_prints_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
