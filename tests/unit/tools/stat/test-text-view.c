/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "stat-sample.h"
#include "tools/stat/text-view.h"
#include "view/printed.h"

static const struct stat_view of_true = {
	.style = { .big_num = true },
	.title = { STAT_TARGET_COMMAND, "true" },
};

#define ONE_RUN .runs = 1, .elapsed_s = 1, .has_rusage = true, .user_s = 0.7, .system_s = 0.25

static void a_command_has_a_title_rows_and_times(void **state)
{
	const struct stat_row rows[] = {
		{ PARTLY(cycles, 3000000000, 834300, 1000000) },
		{ PARTLY(instructions, 4500000000, 500000, 1000000),
		  METRICS(1, METRIC(1.5, RATIO, "insn per cycle")) },
	};
	const struct stat_table t = { ROWS(rows), ONE_RUN };

	(void)state;
	assert_text(&of_true, &t,
		    "\n"
		    " Performance counter stats for 'true':\n"
		    "\n"
		    "        3000000000      cycles                                              "
		    "                 (83.43%)\n"
		    "        4500000000      instructions                     #    1.50  insn per"
		    " cycle           (50.00%)\n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n"
		    "       0.700000000 seconds user\n"
		    "       0.250000000 seconds sys\n"
		    "\n"
		    "\n");
}

static void what_was_not_counted_says_so_in_a_shorter_row(void **state)
{
	const struct stat_row rows[] = {
		{ UNCOUNTED(task_clock, COUNTED), METRICS(1, METRIC(1, NUMBER, "CPUs utilized")) },
		{ COUNTED(cs, 12), METRICS(1, RATE(0, "/sec")) },
		{ COUNTED(cycles, 3000000000), METRICS(1, UNKNOWN(NUMBER, "GHz")) },
	};
	const struct stat_row never_ran[] = {
		{ COUNTED(cycles, 3000000000) },
		{ UNCOUNTED(instructions, COUNTED), RAN_FOR(0, 1000000) },
	};
	const struct stat_row unknown[] = { { UNCOUNTED(cycles, SUPPORTED) } };
	const struct stat_table t = { ROWS(rows), ONE_RUN }, u = { ROWS(never_ran), ONE_RUN },
				w = { ROWS(unknown), .interval = true };
	struct stat_view v = of_true;

	(void)state;
	assert_text(&of_true, &t,
		    "\n"
		    " Performance counter stats for 'true':\n"
		    "\n"
		    "     <not counted> msec task-clock                                          "
		    "        \n"
		    "                12      cs                               #    0.000 /sec    "
		    "               \n"
		    "        3000000000      cycles                                              "
		    "               \n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n"
		    "       0.700000000 seconds user\n"
		    "       0.250000000 seconds sys\n"
		    "\n"
		    "\n");
	assert_text(&of_true, &u,
		    "\n"
		    " Performance counter stats for 'true':\n"
		    "\n"
		    "        3000000000      cycles                                              "
		    "               \n"
		    "     <not counted>      instructions                                        "
		    "          (0.00%)\n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n"
		    "       0.700000000 seconds user\n"
		    "       0.250000000 seconds sys\n"
		    "\n"
		    "\n");
	v.intervals = 1;
	assert_text(&v, &w,
		    "     0.000000000    <not supported>      cycles                    "
		    "                                  \n");
}

/* The metric of the second line has its usual column. */
static void a_second_metric_has_a_line_of_its_own(void **state)
{
	const struct stat_row rows[] = {
		{ PARTLY(instructions, 17600000000, 250000, 1000000), .noise = 1.14,
		  METRICS(2, METRIC(2.79, RATIO, "insn per cycle"),
			  METRIC(0, RATIO, "stalled cycles per insn")) },
		{ PARTLY(cycles, 6600000000, 500000, 1000000), .noise = 4.55 },
		{ COUNTED(backend, 6), .noise = 8.33,
		  METRICS(1, METRIC(0, PERCENT, "backend cycles idle")) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 2, .elapsed_s = 1 };

	(void)state;
	assert_text(&of_true, &t,
		    "\n"
		    " Performance counter stats for 'true' (2 runs):\n"
		    "\n"
		    "       17600000000      instructions                     #    2.79  insn per"
		    " cycle         \n"
		    "                                                  #    0.00  stalled cycles "
		    "per insn  ( +-  1.14% )  (25.00%)\n"
		    "        6600000000      cycles                                              "
		    "                 ( +-  4.55% )  (50.00%)\n"
		    "                 6      stalled-cycles-backend           #    0.00% backend "
		    "cycles idle      ( +-  8.33% )\n"
		    "\n"
		    "               1.0 +- 0.0 seconds time elapsed\n"
		    "\n");
}

static void a_second_metric_stands_alone_if_the_first_is_not_known(void **state)
{
	const struct stat_event frontend = EVENT("stalled-cycles-frontend");
	const struct stat_row rows[] = {
		{ COUNTED(instructions, 4500000000),
		  METRICS(2, UNKNOWN(RATIO, "insn per cycle"),
			  METRIC(0.2, RATIO, "stalled cycles per insn")) },
		{ COUNTED(backend, 900000000), METRICS(2, METRIC(0, PERCENT, "backend cycles idle"),
						       UNKNOWN(RATIO, "not shown")) },
		{ COUNTED(frontend, 600000000),
		  METRICS(1, UNKNOWN(PERCENT, "frontend cycles idle")) },
	};
	const struct stat_table t = { ROWS(rows), ONE_RUN };

	(void)state;
	assert_text(&of_true, &t,
		    "\n"
		    " Performance counter stats for 'true':\n"
		    "\n"
		    "        4500000000      instructions                                        "
		    "               \n"
		    "                                                  #    0.20  stalled cycles "
		    "per insn\n"
		    "         900000000      stalled-cycles-backend           #    0.00% backend "
		    "cycles idle    \n"
		    "         600000000      stalled-cycles-frontend                             "
		    "               \n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n"
		    "       0.700000000 seconds user\n"
		    "       0.250000000 seconds sys\n"
		    "\n"
		    "\n");
}

static void metrics_of_one_line_stand_beside_each_other(void **state)
{
	const struct stat_event aperf = EVENT("msr/aperf/"), smi = EVENT("msr/smi/");
	const struct stat_row rows[] = {
		{ COUNTED(aperf, 6200000000) },
		{ COUNTED(smi, 6), METRICS(2, METRIC(3.2, TOPDOWN, "SMI cycles%"),
					   { .known = true,
					     .value = 6,
					     .format = STAT_FORMAT_SMALL,
					     .unit = "SMI#",
					     .same_line = true }) },
		{ COUNTED(cycles, 6000000000) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 1, .elapsed_s = 1 };

	(void)state;
	assert_text(&of_system, &t,
		    "\n"
		    " Performance counter stats for 'system wide':\n"
		    "\n"
		    "        6200000000      msr/aperf/                                          "
		    "               \n"
		    "                 6      msr/smi/                         #      3.2% SMI cyc"
		    "les%            #    6 SMI#                       \n"
		    "        6000000000      cycles                                              "
		    "               \n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n");
}

static void wide_numbers_push_the_rest(void **state)
{
	const struct stat_event r5 = EVENT("r5"), r6 = EVENT("r6");
	const struct stat_row rows[] = {
		{ COUNTED(r5, 1234567890123456789), METRICS(1, RATE(1e6, "G/sec")) },
		{ COUNTED(r6, 18446744073709551615.0),
		  METRICS(1, METRIC(540000000, PERCENT, "of all branches")) },
	};
	const struct stat_table t = { ROWS(rows), .interval = true };
	struct stat_view v = of_true;

	(void)state;
	v.intervals = 1;
	assert_text(&v, &t,
		    "     0.000000000 1234567890123456768      r5                        "
		    "       # 1000000.000 G/sec               \n"
		    "     0.000000000 18446744073709551616      r6                        "
		    "       # 540000000.00% of all branches   \n");
}

static void the_widest_unit_sets_the_column(void **state)
{
	const struct stat_event energy = { "power/energy-pkg/", "Joules", "", true };
	const struct stat_row rows[] = { { COUNTED(energy, 0) }, { COUNTED(cs, 24) } };
	const struct stat_table t = { ROWS(rows), .interval = true, .time_ns = 100000000 };

	(void)state;
	assert_text(&of_system, &t,
		    "#           time             counts   unit events\n"
		    "     0.100000000               0.00 Joules power/energy-pkg/                "
		    "                                  \n"
		    "     0.100000000                 24        cs                               "
		    "                                  \n");
}

static void every_target_has_its_title(void **state)
{
	static const struct {
		struct stat_title title;
		const char *text;
	} cases[] = {
		{ { STAT_TARGET_COMMAND, "sh -c exit 0 a b  x" }, "'sh -c exit 0 a b  x'" },
		{ { STAT_TARGET_COMMAND, "sh -c a\nb" }, "'sh -c a\\nb'" },
		{ { STAT_TARGET_PROCESSES, "4,5" }, "process id '4,5'" },
		{ { STAT_TARGET_THREADS, "4" }, "thread id '4'" },
		{ { STAT_TARGET_CPUS, "1,3" }, "'CPU(s) 1,3'" },
		{ { STAT_TARGET_SYSTEM, NULL }, "'system wide'" },
	};
	const struct stat_table t = { .runs = 3, .elapsed_s = 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct stat_view v = { .style = { .null_run = true },
					     .title = cases[i].title };
		char wanted[200];

		snprintf(wanted, sizeof(wanted),
			 "\n Performance counter stats for %s (3 runs):\n\n"
			 "               1.0 +- 0.0 seconds time elapsed\n\n",
			 cases[i].text);
		assert_text(&v, &t, wanted);
	}
}

static void a_null_run_has_no_place_for_rows(void **state)
{
	struct stat_view v = of_true;
	const struct stat_table t = { ONE_RUN };

	(void)state;
	v.style.null_run = v.style.metric_only = true;
	assert_text(&v, &t,
		    "\n Performance counter stats for 'true':\n\n"
		    "       1.000000000 seconds time elapsed\n\n"
		    "       0.700000000 seconds user\n       0.250000000 seconds sys\n\n\n");
}

static void the_heading_comes_back_every_25_intervals(void **state)
{
	const struct stat_row rows[] = { { COUNTED(cs, 0) } };
	struct stat_view v = of_true;
	unsigned headings = 0;
	struct printed p;

	(void)state;
	printed_open(&p);
	for (unsigned i = 0; i < 51; i++) {
		const struct stat_table t = { ROWS(rows), .interval = true };

		stat_text_print(&v, &t, p.out);
	}
	fclose(p.out);
	for (const char *s = p.text; (s = strstr(s, "#  ")); s++)
		headings++;
	assert_int_equal(headings, 3);
	assert_int_equal(v.intervals, 51);
	free(p.text);
}

static void a_cleared_screen_has_a_heading_each_time(void **state)
{
	struct stat_view v = of_true;
	const struct stat_table t = { .interval = true };
	const char *wanted = "\033[H\033[2J#           time             counts unit events\n";

	(void)state;
	v.style.clear = true;
	assert_shown(stat_text_print, &v, &t, wanted);
	assert_shown(stat_text_print, &v, &t, wanted);
}

static void a_summary_has_the_whole_frame(void **state)
{
	const struct stat_unit cpu0 = { .cpu = 0 }, cpu1 = { .cpu = 1 };
	const struct stat_row rows[] = {
		{ COUNTED(cs, 10), .unit = &cpu0 },
		{ COUNTED(cs, 11), .unit = &cpu1 },
	};
	const struct stat_table interval = { ROWS(rows), .aggregation = STAT_CPU, .interval = true,
					     .time_ns = 100000000 };
	const struct stat_table summary = { ROWS(rows), .aggregation = STAT_CPU, .summary = true,
					    .runs = 1, .elapsed_s = 1.1 };
	struct stat_view v = of_system;
	struct printed p;

	(void)state;
	printed_open(&p);
	stat_text_print(&v, &interval, p.out);
	stat_text_print(&v, &summary, p.out);
	assert_printed(
		&p, "#           time CPU                    counts unit events\n"
		    "     0.100000000 CPU0                       10      cs                      "
		    "                                           \n"
		    "     0.100000000 CPU1                       11      cs                      "
		    "                                           \n"
		    "\n"
		    " Performance counter stats for 'system wide':\n"
		    "\n"
		    "CPU0                       10      cs                                       "
		    "                          \n"
		    "CPU1                       11      cs                                       "
		    "                          \n"
		    "\n"
		    "       1.100000000 seconds time elapsed\n"
		    "\n");
}

static void only_metrics_stand_in_columns_under_their_headings(void **state)
{
	const struct stat_event inst = EVENT("INST_RETIRED"), cpu = EVENT("CPU_CYCLES");
	const struct stat_row rows[] = {
		{ COUNTED(inst, 150000), METRICS(3, METRIC(0.375, PLAIN, "retiring"),
						 METRIC(0.07, PLAIN, "bad_speculation"),
						 METRIC(0.4, PLAIN, "backend_bound")) },
		{ COUNTED(cpu, 100000),
		  METRICS(2, RATE(1, "/sec"), METRIC(0.15, PLAIN, "frontend_bound")) },
	};
	const struct stat_table t = { ROWS(rows), ONE_RUN };
	struct stat_view v = of_true;

	(void)state;
	v.style.metric_only = true;
	assert_text(&v, &t,
		    "\n"
		    " Performance counter stats for 'true':\n"
		    "\n"
		    "            retiring      bad_speculation        backend_bound       fronten"
		    "d_bound \n"
		    "                0.38                 0.07                 0.40              "
		    "   0.15 \n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n"
		    "       0.700000000 seconds user\n"
		    "       0.250000000 seconds sys\n"
		    "\n"
		    "\n");
}

/* perf 6.1 indents the headings less than the rows, and a long heading moves its column. */
static void headings_and_values_end_in_the_same_column(void **state)
{
	const struct stat_unit cpu0 = { .cpu = 0 }, cpu1 = { .cpu = 1 };
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 1), .unit = &cpu0, METRICS(1, METRIC(1, NUMBER, "GHz")) },
		{ UNCOUNTED(cycles, COUNTED), .unit = &cpu1, METRICS(1, UNKNOWN(NUMBER, "GHz")) },
		{ COUNTED(branch_misses, 1), .unit = &cpu0,
		  METRICS(1, OF_ALL(1, PERCENT, "of all branches")) },
		{ COUNTED(branch_misses, 1), .unit = &cpu1,
		  METRICS(1, OF_ALL(1.99, PERCENT, "of all branches")) },
		{ COUNTED(instructions, 2), .unit = &cpu0,
		  METRICS(1, METRIC(2, RATIO, "insn per cycle")) },
		{ COUNTED(instructions, 2), .unit = &cpu1,
		  METRICS(1, METRIC(2.27, RATIO, "insn per cycle")) },
	};
	struct stat_table t = { ROWS(rows), .aggregation = STAT_CPU, .interval = true };
	struct stat_view v = of_system;

	(void)state;
	v.style.metric_only = true;
	assert_text(&v, &t,
		    "#           time CPU                         GHz "
		    "branch-misses of all branches       insn per cycle \n"
		    "     0.000000000 CPU0                      1.000 "
		    "                        1.00%                2.00  \n"
		    "     0.000000000 CPU1                            "
		    "                        1.99%                2.27  \n");
	t.interval = false;
	assert_text(&v, &t,
		    "\n Performance counter stats for 'system wide':\n\n"
		    "                            GHz "
		    "branch-misses of all branches       insn per cycle \n"
		    "CPU0                      1.000 "
		    "                        1.00%                2.00  \n"
		    "CPU1                            "
		    "                        1.99%                2.27  \n"
		    "\n       0.000000000 seconds time elapsed\n\n");
}

static void values_that_worry_have_a_colour(void **state)
{
	struct stat_metric worrying = OF_ALL(50, PERCENT, "of all branches");
	struct stat_row row = { COUNTED(branch_misses, 50), METRICS(1, worrying) };
	const struct stat_table t = { .rows = &row, .n_rows = 1, .interval = true };
	struct stat_view v = of_true;

	(void)state;
	v.intervals = 1;
	v.style.colour = true;
	row.metrics[0].level = STAT_LEVEL_HIGH;
	assert_text(&v, &t,
		    "     0.000000000                 50      branch-misses             "
		    "       # \033[31m  50.00%\033[m of all branches        \n");
	v.style.metric_only = true;
	assert_text(&v, &t, "     0.000000000                        \033[31m50.00%\033[m \n");
	v.style.colour = false;
	assert_text(&v, &t, "     0.000000000                        50.00% \n");
}

static void names_cannot_act_on_the_terminal(void **state)
{
	const struct stat_event red = EVENT("\033[31mred");
	const struct stat_unit thread = { .tid = 4, .comm = "a\nb" };
	const struct stat_row rows[] = { { COUNTED(red, 1), .unit = &thread } };
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_THREAD, .interval = true };
	struct stat_view v = of_true;

	(void)state;
	v.intervals = 1;
	assert_text(&v, &t,
		    "     0.000000000              a\\nb-4                         1      "
		    "\\x1b[31mred                                                        \n");
}

static void assert_in_locale(const char *locale, const struct stat_view *view,
			     const struct stat_table *t, const char *wanted)
{
	struct stat_view v = *view;
	struct printed p;

	if (!setlocale(LC_ALL, locale)) {
		print_message("# there is no locale %s\n", locale);
		skip();
	}
	printed_open(&p);
	stat_text_print(&v, t, p.out);
	setlocale(LC_ALL, "C");
	assert_printed(&p, wanted);
}

static void digits_are_grouped_by_the_locale(void **state)
{
	const struct stat_unit cpu0 = { .cpu = 0 }, cpu1 = { .cpu = 1 };
	const struct stat_event clock = { "cpu-clock", "msec", "", true };
	const struct stat_row rows[] = {
		{ COUNTED(clock, 1000), .unit = &cpu0, METRICS(1, RATE(1, "CPUs utilized")) },
		{ COUNTED(clock, 1001), .unit = &cpu1, METRICS(1, RATE(1.001, "CPUs utilized")) },
		{ COUNTED(cycles, 1000000000), .unit = &cpu0, METRICS(1, RATE(1, "GHz")) },
		{ COUNTED(cycles, 1100000000), .unit = &cpu1, METRICS(1, RATE(1.099, "GHz")) },
	};
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_CPU, .runs = 1,
				      .elapsed_s = 1 };

	(void)state;
	assert_in_locale(
		"en_US.UTF-8", &of_system, &t,
		"\n"
		" Performance counter stats for 'system wide':\n"
		"\n"
		"CPU0                 1,000.00 msec cpu-clock                        #    1.0"
		"00 CPUs utilized          \n"
		"CPU1                 1,001.00 msec cpu-clock                        #    1.0"
		"01 CPUs utilized          \n"
		"CPU0            1,000,000,000      cycles                           #    1.0"
		"00 GHz                    \n"
		"CPU1            1,100,000,000      cycles                           #    1.0"
		"99 GHz                    \n"
		"\n"
		"       1.000000000 seconds time elapsed\n"
		"\n");
}

static const struct stat_row european[] = {
	{ COUNTED(task_clock, 950.123456), METRICS(1, RATE(0.950123, "CPUs utilized")) },
	{ PARTLY(cycles, 6000000000, 500000, 1000000), METRICS(1, RATE(6.315, "GHz")) },
	{ COUNTED(instructions, 4500000000), METRICS(1, METRIC(0.75, RATIO, "insn per cycle")) },
};

static void digits_are_not_grouped_if_not_wanted(void **state)
{
	const struct stat_row rows[] = { { COUNTED(cycles, 3000000000) } };
	const struct stat_table t = { ROWS(rows), .interval = true };
	struct stat_view v = of_true;

	(void)state;
	v.intervals = 1;
	v.style.big_num = false;
	assert_in_locale("en_US.UTF-8", &v, &t,
			 "     0.000000000         3000000000      cycles                    "
			 "                                         \n");
}

static void the_decimal_point_is_that_of_the_locale(void **state)
{
	const struct stat_table t = { ROWS(european), ONE_RUN };

	(void)state;
	assert_in_locale(
		"de_DE.UTF-8", &of_true, &t,
		"\n"
		" Performance counter stats for 'true':\n"
		"\n"
		"            950,12 msec task-clock                       #    0,950 CPUs uti"
		"lized          \n"
		"     6.000.000.000      cycles                           #    6,315 GHz     "
		"                 (50,00%)\n"
		"     4.500.000.000      instructions                     #    0,75  insn per"
		" cycle         \n"
		"\n"
		"       1,000000000 seconds time elapsed\n"
		"\n"
		"       0,700000000 seconds user\n"
		"       0,250000000 seconds sys\n"
		"\n"
		"\n");
}

/* The separator of this locale is one column wide and three bytes long. */
static void grouped_digits_are_aligned_by_columns(void **state)
{
	const struct stat_table t = { ROWS(european), ONE_RUN };

	(void)state;
	assert_in_locale(
		"fr_FR.UTF-8", &of_true, &t,
		"\n"
		" Performance counter stats for 'true':\n"
		"\n"
		"            950,12 msec task-clock                       #    0,950 CPUs uti"
		"lized          \n"
		"     6\u202f000\u202f000\u202f000      cycles                           #   "
		" 6,315 GHz                      (50,00%)\n"
		"     4\u202f500\u202f000\u202f000      instructions                     #   "
		" 0,75  insn per cycle         \n"
		"\n"
		"       1,000000000 seconds time elapsed\n"
		"\n"
		"       0,700000000 seconds user\n"
		"       0,250000000 seconds sys\n"
		"\n"
		"\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_has_a_title_rows_and_times),
		cmocka_unit_test(what_was_not_counted_says_so_in_a_shorter_row),
		cmocka_unit_test(a_second_metric_has_a_line_of_its_own),
		cmocka_unit_test(a_second_metric_stands_alone_if_the_first_is_not_known),
		cmocka_unit_test(metrics_of_one_line_stand_beside_each_other),
		cmocka_unit_test(wide_numbers_push_the_rest),
		cmocka_unit_test(the_widest_unit_sets_the_column),
		cmocka_unit_test(every_target_has_its_title),
		cmocka_unit_test(a_null_run_has_no_place_for_rows),
		cmocka_unit_test(the_heading_comes_back_every_25_intervals),
		cmocka_unit_test(a_cleared_screen_has_a_heading_each_time),
		cmocka_unit_test(a_summary_has_the_whole_frame),
		cmocka_unit_test(only_metrics_stand_in_columns_under_their_headings),
		cmocka_unit_test(headings_and_values_end_in_the_same_column),
		cmocka_unit_test(values_that_worry_have_a_colour),
		cmocka_unit_test(names_cannot_act_on_the_terminal),
		cmocka_unit_test(digits_are_grouped_by_the_locale),
		cmocka_unit_test(digits_are_not_grouped_if_not_wanted),
		cmocka_unit_test(the_decimal_point_is_that_of_the_locale),
		cmocka_unit_test(grouped_digits_are_aligned_by_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
