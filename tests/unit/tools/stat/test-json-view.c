/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>

#include "stat-sample.h"
#include "tools/stat/json-view.h"
#include "view/printed.h"

static void assert_json(const struct stat_table *t, const char *wanted)
{
	struct stat_view v = { 0 };

	assert_shown(stat_json_print, &v, t, wanted);
}

static void a_row_is_an_object_with_the_keys_that_are_known(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(task_clock, 950.123456), METRICS(1, RATE(0.950123, "CPUs utilized")) },
		{ PARTLY(instructions, 4500000000, 834300, 1000000),
		  METRICS(1, METRIC(1.5, RATIO, "insn per cycle")) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_json(&t, "{\"counter-value\" : \"950.123456\", \"unit\" : \"msec\", "
			"\"event\" : \"task-clock\", \"event-runtime\" : 1000000, "
			"\"pcnt-running\" : 100.00, \"metric-value\" : 0.950123, "
			"\"metric-unit\" : \"CPUs utilized\"}\n"
			"{\"counter-value\" : \"4500000000.000000\", \"unit\" : \"\", "
			"\"event\" : \"instructions\", \"event-runtime\" : 834300, "
			"\"pcnt-running\" : 83.43, \"metric-value\" : 1.500000, "
			"\"metric-unit\" : \"insn per cycle\"}\n");
}

/* perf 6.1 prints the unit of a metric that does not exist, or "(null)". */
static void a_row_without_a_metric_has_an_empty_unit(void **state)
{
	const struct stat_row rows[] = {
		{ UNCOUNTED(cycles, COUNTED), METRICS(1, METRIC(1, NUMBER, "GHz")) },
		{ UNCOUNTED(instructions, SUPPORTED) },
		{ COUNTED(cs, 12), METRICS(1, UNKNOWN(NUMBER, "/sec")) },
	};
	const struct stat_row endless[] = { { COUNTED(cs, 1),
					      METRICS(1, METRIC(INFINITY, PLAIN, "x")) } };
	const struct stat_table t = { ROWS(rows), .runs = 3 }, u = { ROWS(endless), .runs = 1 };

	(void)state;
	assert_json(&t,
		    "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" : \"cycle"
		    "s\", \"variance\" : 0.00, \"event-runtime\" : 0, \"pcnt-running\" : 100.00, "
		    "\"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
		    "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : \"ins"
		    "tructions\", \"variance\" : 0.00, \"event-runtime\" : 0, \"pcnt-running\" : "
		    "100.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
		    "{\"counter-value\" : \"12.000000\", \"unit\" : \"\", \"event\" : \"cs\", \"v"
		    "ariance\" : 0.00, \"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, \""
		    "metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
	assert_json(&u, "{\"counter-value\" : \"1.000000\", \"unit\" : \"\", \"event\" : \"cs\", "
			"\"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, "
			"\"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
}

static void further_metrics_are_objects_of_their_own(void **state)
{
	const struct stat_unit sleep = { .tid = 4, .comm = "sleep" };
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 3000000000), .unit = &sleep, METRICS(1, UNKNOWN(NUMBER, "GHz")) },
		{ COUNTED(instructions, 4500000000), .unit = &sleep,
		  METRICS(2, METRIC(1.5, RATIO, "insn per cycle"),
			  METRIC(0.2, RATIO, "stalled cycles per insn")) },
		{ COUNTED(backend, 900000000), .unit = &sleep,
		  METRICS(1, METRIC(30, PERCENT, "backend cycles idle")) },
	};
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_THREAD, .runs = 1 };

	(void)state;
	assert_json(&t,
		    "{\"thread\" : \"sleep-4\", \"counter-value\" : \"3000000000.000000\", \"unit"
		    "\" : \"\", \"event\" : \"cycles\", \"event-runtime\" : 1000000, \"pcnt-runni"
		    "ng\" : 100.00, \"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
		    "{\"thread\" : \"sleep-4\", \"counter-value\" : \"4500000000.000000\", \"unit"
		    "\" : \"\", \"event\" : \"instructions\", \"event-runtime\" : 1000000, \"pcnt"
		    "-running\" : 100.00, \"metric-value\" : 1.500000, \"metric-unit\" : \"insn p"
		    "er cycle\"}\n"
		    "{\"thread\" : \"sleep-4\", \"metric-value\" : 0.200000, \"metric-unit\" : \""
		    "stalled cycles per insn\"}\n"
		    "{\"thread\" : \"sleep-4\", \"counter-value\" : \"900000000.000000\", \"unit"
		    "\" : \"\", \"event\" : \"stalled-cycles-backend\", \"event-runtime\" : 10000"
		    "00, \"pcnt-running\" : 100.00, \"metric-value\" : 30.000000, \"metric-unit\""
		    " : \"backend cycles idle\"}\n");
}

static void a_metric_of_the_same_line_is_an_object_too(void **state)
{
	const struct stat_event smi = EVENT("msr/smi/"), aperf = EVENT("msr/aperf/");
	const struct stat_row rows[] = {
		{ COUNTED(smi, 5),
		  METRICS(2, METRIC(3.225806, TOPDOWN, "SMI cycles%"),
			  { .known = true, .value = 5, .unit = "SMI#", .same_line = true }) },
		{ COUNTED(aperf, 3100000000) },
		{ COUNTED(cycles, 3000000000) },
	};
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	assert_json(&t,
		    "{\"counter-value\" : \"5.000000\", \"unit\" : \"\", \"event\" : \"msr/smi/\""
		    ", \"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, \"metric-value\" :"
		    " 3.225806, \"metric-unit\" : \"SMI cycles%\"}\n"
		    "{\"metric-value\" : 5.000000, \"metric-unit\" : \"SMI#\"}\n"
		    "{\"counter-value\" : \"3100000000.000000\", \"unit\" : \"\", \"event\" : \"m"
		    "sr/aperf/\", \"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, \"metri"
		    "c-value\" : 0.000000, \"metric-unit\" : \"\"}\n"
		    "{\"counter-value\" : \"3000000000.000000\", \"unit\" : \"\", \"event\" : \"c"
		    "ycles\", \"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, \"metric-va"
		    "lue\" : 0.000000, \"metric-unit\" : \"\"}\n");
}

#define REST                                                                                       \
	"\"counter-value\" : \"1.000000\", \"unit\" : \"\", \"event\" : \"cs\", "                  \
	"\"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, \"metric-value\" : 0.000000, "    \
	"\"metric-unit\" : \"\"}\n"

static void every_aggregation_has_its_key(void **state)
{
	static const char *const wanted[] = {
		[STAT_GLOBAL] = "{" REST,
		[STAT_CPU] = "{\"cpu\" : \"3\", " REST,
		[STAT_CORE] = "{\"core\" : \"S0-D1-C4\", \"aggregate-number\" : "
			      "2, " REST,
		[STAT_DIE] = "{\"die\" : \"S0-D1\", \"aggregate-number\" : 2, " REST,
		[STAT_SOCKET] = "{\"socket\" : \"S0\", \"aggregate-number\" : 2, " REST,
		[STAT_NODE] = "{\"node\" : \"N2\", \"aggregate-number\" : 2, " REST,
		[STAT_CACHE] = "{\"cache\" : \"S0-D1-L3-ID2\", \"counters\" : 2, " REST,
		[STAT_CLUSTER] = "{\"cluster\" : \"S0-D1-CLS5\", \"counters\" : 2, " REST,
		[STAT_THREAD] = "{\"thread\" : \"sleep-4\", " REST,
	};
	struct stat_row row = { COUNTED(cs, 1), .unit = &unit, .n_cpus = 2 };
	struct stat_table t = { .rows = &row, .n_rows = 1, .runs = 1 };

	(void)state;
	for (enum stat_aggregation a = STAT_GLOBAL; a <= STAT_THREAD; a++) {
		t.aggregation = a;
		assert_json(&t, wanted[a]);
	}
	t.aggregation = STAT_CPU;
	row.per_core = true;
	assert_json(&t, "{\"core\" : \"S0-D1-C4\", " REST);
}

static void readers_of_newer_versions_know_the_number_as_counters(void **state)
{
	const struct stat_row rows[] = { { COUNTED(cs, 1), .unit = &unit, .n_cpus = 2 } };
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_NODE, .runs = 1 };
	struct stat_view v = { .style.counters = true };

	(void)state;
	assert_shown(stat_json_print, &v, &t, "{\"node\" : \"N2\", \"counters\" : 2, " REST);
}

static void a_metric_that_was_asked_for_is_named_without_a_value(void **state)
{
	struct stat_row rows[] = { { UNCOUNTED(cycles, SUPPORTED),
				     METRICS(1, UNKNOWN(SHORT, "GHz  cycles_frequency")) } };
	const struct stat_table t = { ROWS(rows), .runs = 1 };

	(void)state;
	rows[0].metrics[0].asked_for = true;
	assert_json(&t, "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : "
			"\"cycles\", \"event-runtime\" : 0, \"pcnt-running\" : 100.00, "
			"\"metric-value\" : \"nan\", "
			"\"metric-unit\" : \"GHz  cycles_frequency\"}\n");
}

static void an_interval_has_its_time_and_the_summary_none(void **state)
{
	const struct stat_row rows[] = { { COUNTED(cs, 1) } };
	struct stat_table t = { ROWS(rows), .interval = true, .time_ns = 1000123456 };

	(void)state;
	assert_json(&t, "{\"interval\" : 1.000123456, " REST);
	t.summary = true;
	assert_json(&t, "{" REST);
}

static void names_are_escaped(void **state)
{
	const struct stat_event e = { "a\"b\\", "", "c\n", false };
	const struct stat_row rows[] = { { COUNTED(e, 1), .noise = 1.25 } };
	const struct stat_table t = { ROWS(rows), .has_cgroups = true, .runs = 2 };

	(void)state;
	assert_json(&t, "{\"counter-value\" : \"1.000000\", \"unit\" : \"\", "
			"\"event\" : \"a\\\"b\\\\\", \"cgroup\" : \"c\\n\", \"variance\" : 1.25, "
			"\"event-runtime\" : 1000000, \"pcnt-running\" : 100.00, "
			"\"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n");
}

static void only_metrics_are_members_of_one_object(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(cs, 1), .unit = &unit, .n_cpus = 2, METRICS(1, RATE(1, "/sec")) },
		{ COUNTED(cycles, 1), .unit = &unit, .n_cpus = 2,
		  METRICS(1, UNKNOWN(NUMBER, "GHz")) },
		{ COUNTED(instructions, 1), .unit = &unit, .n_cpus = 2,
		  METRICS(1, METRIC(1.5, RATIO, "insn per cycle")) },
		{ COUNTED(branch_misses, 1), .unit = &unit, .n_cpus = 2,
		  METRICS(1, OF_ALL(1, PERCENT, "of all branches")) },
	};
	struct stat_table t = { ROWS(rows), .aggregation = STAT_CORE, .interval = true };
	struct stat_view v = { .style.metric_only = true };

	(void)state;
	assert_shown(stat_json_print, &v, &t,
		     "{\"interval\" : 0.000000000, \"core\" : \"S0-D1-C4\", "
		     "\"aggregate-number\" : 2, \"GHz\" : \"\", \"insn per "
		     "cycle\" : \"1.50\", "
		     "\"branch-misses of all branches\" : \"1.00\"}\n");
	t.n_rows = 1;
	t.aggregation = STAT_GLOBAL;
	t.interval = false;
	assert_shown(stat_json_print, &v, &t, "{}\n");
}

static void the_locale_has_no_say(void **state)
{
	const struct stat_row rows[] = { { COUNTED(cs, 1) } };
	const struct stat_table t = { ROWS(rows), .runs = 1 };
	struct stat_view v = { .style.big_num = true };
	struct printed p;

	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		print_message("# there is no locale de_DE.UTF-8\n");
		skip();
	}
	printed_open(&p);
	stat_json_print(&v, &t, p.out);
	setlocale(LC_ALL, "C");
	assert_printed(&p, "{" REST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_an_object_with_the_keys_that_are_known),
		cmocka_unit_test(a_row_without_a_metric_has_an_empty_unit),
		cmocka_unit_test(further_metrics_are_objects_of_their_own),
		cmocka_unit_test(a_metric_of_the_same_line_is_an_object_too),
		cmocka_unit_test(every_aggregation_has_its_key),
		cmocka_unit_test(readers_of_newer_versions_know_the_number_as_counters),
		cmocka_unit_test(a_metric_that_was_asked_for_is_named_without_a_value),
		cmocka_unit_test(an_interval_has_its_time_and_the_summary_none),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(only_metrics_are_members_of_one_object),
		cmocka_unit_test(the_locale_has_no_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
