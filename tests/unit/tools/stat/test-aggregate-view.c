/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/stat/aggregate-view.h"

static const struct stat_unit unit = { .socket = 10,
				       .die = 2,
				       .cluster = 5,
				       .core = 128,
				       .node = 3,
				       .cpu = 17,
				       .cache_level = 3,
				       .cache = 16,
				       .tid = 4,
				       .comm = "sleep" };

static void every_aggregation_has_its_prefix(void **state)
{
	static const struct {
		enum stat_aggregation aggregation;
		bool per_core;
		const char *text, *csv;
	} cases[] = {
		{ STAT_GLOBAL, false, "", "" },
		{ STAT_CPU, false, "CPU17      ", "CPU17;" },
		{ STAT_CPU, true, "S10-D2-C128 ", "S10-D2-C128;" },
		{ STAT_CORE, false, "S10-D2-C128         2 ", "S10-D2-C128;2;" },
		{ STAT_DIE, false, "S10-D2           2 ", "S10-D2;2;" },
		{ STAT_SOCKET, false, "S10       2 ", "S10;2;" },
		{ STAT_NODE, false, "N3        2 ", "N3;2;" },
		{ STAT_CACHE, false, "S10-D2-L3-ID16          2 ", "S10-D2-L3-ID16;2;" },
		{ STAT_CLUSTER, false, "S10-D2-CLS5           2 ", "S10-D2-CLS5;2;" },
		{ STAT_THREAD, false, "           sleep-4        ", "sleep-4;" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct stat_row row = { .unit = &unit,
					      .n_cpus = 2,
					      .per_core = cases[i].per_core };
		struct text text = TEXT_EMPTY, csv = TEXT_EMPTY;

		stat_aggregate_add_text(&text, cases[i].aggregation, &row);
		stat_aggregate_add_csv(&csv, cases[i].aggregation, &row, ";");
		assert_string_equal(text.chars, cases[i].text);
		assert_string_equal(csv.chars, cases[i].csv);
		text_done(&text);
		text_done(&csv);
	}
}

static void a_heading_is_as_wide_as_what_stands_below(void **state)
{
	const struct stat_unit small = { .comm = "sh" };
	const struct stat_row row = { .unit = &small, .n_cpus = 0 };

	(void)state;
	for (enum stat_aggregation a = STAT_CPU; a <= STAT_THREAD; a++) {
		struct text text = TEXT_EMPTY, heading = TEXT_EMPTY;

		stat_aggregate_add_text(&text, a, &row);
		text_add(&heading, stat_aggregate_find(a, false)->heading);
		assert_int_equal(text.length, heading.length);
		text_done(&text);
		text_done(&heading);
	}
}

static void csv_names_its_columns(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	stat_aggregate_add_csv_heading(&t, STAT_GLOBAL, ",");
	assert_string_equal(t.chars, "");
	stat_aggregate_add_csv_heading(&t, STAT_CPU, ",");
	stat_aggregate_add_csv_heading(&t, STAT_NODE, ",");
	assert_string_equal(t.chars, "cpu,node,cpus,");
	text_done(&t);
}

static void the_name_of_a_thread_cannot_end_a_line(void **state)
{
	const struct stat_unit thread = { .tid = 4, .comm = "a\nb" };
	const struct stat_row row = { .unit = &thread };
	struct text t = TEXT_EMPTY;

	(void)state;
	stat_aggregate_add_csv(&t, STAT_THREAD, &row, ",");
	assert_string_equal(t.chars, "a\\nb-4,");
	text_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_aggregation_has_its_prefix),
		cmocka_unit_test(a_heading_is_as_wide_as_what_stands_below),
		cmocka_unit_test(csv_names_its_columns),
		cmocka_unit_test(the_name_of_a_thread_cannot_end_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
