/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stat-sample.h"
#include "tools/stat/grid-view.h"
#include "view/printed.h"

static void rates_have_no_column(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(task_clock, 1), METRICS(1, RATE(1, "CPUs utilized")) },
		{ COUNTED(cs, 1), METRICS(1, RATE(1, "/sec")) },
		{ COUNTED(cycles, 1), METRICS(1, METRIC(1, NUMBER, "GHz")) },
		{ COUNTED(branches, 1) },
		{ COUNTED(branch_misses, 1), METRICS(1, OF_ALL(1, PERCENT, "of all branches")) },
	};
	const struct stat_table t = { ROWS(rows) };
	struct stat_grid g;

	(void)state;
	stat_grid_init(&g, &t);
	assert_int_equal(g.lines.n, 1);
	assert_int_equal(g.columns.n, 2);
	assert_string_equal(g.columns.items[0].heading, "GHz");
	assert_string_equal(g.columns.items[1].heading, "branch-misses of all branches");
	assert_ptr_equal(stat_grid_get(&g, 0, 1), &rows[4].metrics[0]);
	stat_grid_done(&g);
}

static void what_is_not_known_or_not_counted_leaves_its_place_empty(void **state)
{
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 1), METRICS(1, UNKNOWN(NUMBER, "GHz")) },
		{ UNCOUNTED(instructions, COUNTED),
		  METRICS(1, METRIC(1, RATIO, "insn per cycle")) },
	};
	const struct stat_table t = { ROWS(rows) };
	struct stat_grid g;

	(void)state;
	stat_grid_init(&g, &t);
	assert_int_equal(g.columns.n, 2);
	assert_null(stat_grid_get(&g, 0, 0));
	assert_null(stat_grid_get(&g, 0, 1));
	stat_grid_done(&g);
}

/* -A has all units of an event before the next event; the other modes have the reverse order. */
static void a_unit_is_a_line_in_either_order(void **state)
{
	const struct stat_unit units[] = { { .cpu = 0 }, { .cpu = 1 } }, same_as_1 = { .cpu = 1 };
	const struct stat_row by_event[] = {
		{ COUNTED(cycles, 1), .unit = &units[0], METRICS(1, METRIC(1, NUMBER, "GHz")) },
		{ COUNTED(cycles, 1), .unit = &units[1], METRICS(1, METRIC(2, NUMBER, "GHz")) },
		{ COUNTED(instructions, 1), .unit = &units[0],
		  METRICS(1, METRIC(3, RATIO, "IPC")) },
		{ COUNTED(instructions, 1), .unit = &same_as_1,
		  METRICS(1, METRIC(4, RATIO, "IPC")) },
	};
	const struct stat_row by_unit[] = { by_event[0], by_event[2], by_event[1], by_event[3] };
	const struct stat_table tables[] = { { ROWS(by_event), .aggregation = STAT_CPU },
					     { ROWS(by_unit), .aggregation = STAT_CPU } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct stat_grid g;

		stat_grid_init(&g, &tables[i]);
		assert_int_equal(g.lines.n, 2);
		assert_int_equal(g.columns.n, 2);
		assert_int_equal(g.lines.items[1]->unit->cpu, 1);
		assert_true(stat_grid_get(&g, 0, 0)->value == 1);
		assert_true(stat_grid_get(&g, 0, 1)->value == 3);
		assert_true(stat_grid_get(&g, 1, 0)->value == 2);
		assert_true(stat_grid_get(&g, 1, 1)->value == 4);
		stat_grid_done(&g);
	}
}

static void a_line_tells_the_most_cpus_that_any_event_counted_on(void **state)
{
	const struct stat_unit one = { .socket = 0 }, same = { .socket = 0 };
	const struct stat_row rows[] = { { COUNTED(cs, 1), .unit = &one },
					 { COUNTED(cycles, 1), .unit = &same, .n_cpus = 2 } };
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_SOCKET };
	struct stat_grid g;

	(void)state;
	stat_grid_init(&g, &t);
	assert_int_equal(g.lines.n, 1);
	assert_int_equal(g.lines.items[0]->n_cpus, 2);
	stat_grid_done(&g);
}

static void equal_headings_are_told_apart(void **state)
{
	const struct stat_event user = EVENT("instructions:u"), kernel = EVENT("instructions:k");
	const struct stat_event in_a = { "instructions", "", "a", false };
	const struct stat_row rows[] = {
		{ COUNTED(user, 1), METRICS(1, METRIC(1, RATIO, "insn per cycle")) },
		{ COUNTED(kernel, 1), METRICS(1, METRIC(1, RATIO, "insn per cycle")) },
		{ COUNTED(in_a, 1), METRICS(1, METRIC(1, RATIO, "insn per cycle")) },
	};
	const struct stat_table t = { ROWS(rows), .has_cgroups = true };
	struct stat_grid g;

	(void)state;
	stat_grid_init(&g, &t);
	assert_string_equal(g.columns.items[0].heading, "insn per cycle");
	assert_string_equal(g.columns.items[1].heading, "instructions:k insn per cycle");
	assert_string_equal(g.columns.items[2].heading, "a insn per cycle");
	stat_grid_done(&g);
}

static void an_empty_table_is_an_empty_grid(void **state)
{
	struct stat_grid g;

	(void)state;
	stat_grid_init(&g, &(struct stat_table){ 0 });
	assert_int_equal(g.lines.n, 0);
	assert_int_equal(g.columns.n, 0);
	stat_grid_done(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_have_no_column),
		cmocka_unit_test(what_is_not_known_or_not_counted_leaves_its_place_empty),
		cmocka_unit_test(a_unit_is_a_line_in_either_order),
		cmocka_unit_test(a_line_tells_the_most_cpus_that_any_event_counted_on),
		cmocka_unit_test(equal_headings_are_told_apart),
		cmocka_unit_test(an_empty_table_is_an_empty_grid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
