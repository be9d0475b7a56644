/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tools/sched/latency-model.h"
#include "tools/sched/latency-view.h"

static void assert_prints(const struct sched_latency_row *row, const struct sched_info *info,
			  const char *text)
{
	_cleanup_(freep) char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);
	struct sched_latency_rows rows = { .items = (struct sched_latency_row *)row,
					   .n = row ? 1 : 0 };

	sched_latency_print(out, &rows, "Switches", false, info);
	fclose(out);
	assert_non_null(strstr(printed, text));
}

static void a_task_is_shown_by_name_and_number_and_several_by_how_many(void **state)
{
	const struct sched_info info = { 0 };
	struct sched_latency_row row = { .comm = "cat",
					 .tid = 7,
					 .n_tasks = 1,
					 .run_ns = 12002000,
					 .n = 2,
					 .sum_ns = 3000001,
					 .max_ns = 2000000,
					 .max_begin = 1000000999,
					 .max_end = 1002000999 };

	(void)state;
	assert_prints(&row, &info,
		      "\n  cat:7                 |     12.002 ms |        2 | avg:   1.500 ms | "
		      "max:   2.000 ms | max start:     1.000000 s | max end:     1.002000 s\n");
	row.n_tasks = 6;
	assert_prints(&row, &info, "\n  cat:(6)               |");
}

static void names_reach_no_terminal_as_they_are(void **state)
{
	const struct sched_info info = { 0 };
	const struct sched_latency_row row = { .comm = "a\x1b[1m", .tid = 7, .n_tasks = 1, .n = 1 };

	(void)state;
	assert_prints(&row, &info, "\n  a\\x1b[1m:7            |");
}

static void a_short_table_has_lines_for_any_terminal(void **state)
{
	struct sched_latency_row items[] = {
		{ .comm = "a\x1b",
		  .tid = 7,
		  .n_tasks = 1,
		  .n = 2,
		  .sum_ns = 3000000,
		  .max_ns = 2000000 },
		{ .comm = "cat", .n_tasks = 6, .run_ns = 12002000, .n = 1 },
		{ .comm = "dog", .n_tasks = 1, .n = 1 },
	};
	const struct sched_latency_rows rows = {
		.items = items, .n = 3, .run_ns = 12002000, .n_waits = 4
	};
	_cleanup_(freep) char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	(void)state;
	sched_latency_print_short(out, &rows, 2);
	fclose(out);
	assert_string_equal(
		printed,
		"  Task                     Runtime ms     Waits  Avg delay ms  Max delay ms\n"
		"  TOTAL                        12.002         4\n"
		"  a\\x1b:7                       0.000         2         1.500         2.000\n"
		"  cat:(6)                      12.002         1         0.000         0.000\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_is_shown_by_name_and_number_and_several_by_how_many),
		cmocka_unit_test(names_reach_no_terminal_as_they_are),
		cmocka_unit_test(a_short_table_has_lines_for_any_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
