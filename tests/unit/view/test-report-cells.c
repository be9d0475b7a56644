/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "report-sample.h"
#include "view/report/cells.h"

struct laid_out {
	struct report_sample sample;
	struct report_cells cells;
	struct table_scratch scratch;
	struct text out;
};

static void lay_out(struct laid_out *l, const char *widths)
{
	l->scratch = (struct table_scratch)TABLE_SCRATCH;
	l->out = (struct text)TEXT_EMPTY;
	report_cells_init(&l->cells, &l->sample.view, l->sample.groups[0], &l->sample.plan.columns,
			  widths);
}

static void done(struct laid_out *l)
{
	report_cells_done(&l->cells);
	table_scratch_done(&l->scratch);
	text_done(&l->out);
	sample_done(&l->sample);
}

static void columns_grow_with_what_is_in_them(void **state)
{
	_cleanup_(done) struct laid_out l;
	const size_t *widths;

	(void)state;
	sample_apart(&l.sample);
	lay_out(&l, NULL);
	widths = l.cells.table.widths;
	assert_int_equal(l.cells.table.n, 4);
	assert_int_equal(widths[0], 8);
	assert_int_equal(widths[2], strlen("Who"));
	table_fit(&l.cells.table, &l.sample.groups[0]->entries[2], &l.scratch);
	assert_int_equal(widths[2], strlen("longer"));
	assert_int_equal(table_width(&l.cells.table, 2), 8 + 2 + 12 + 2 + 6 + 2 + 7);
}

static void widths_are_those_asked_for(void **state)
{
	_cleanup_(done) struct laid_out l;
	const size_t *widths;

	(void)state;
	sample_apart(&l.sample);
	lay_out(&l, "3,,99999999999999999999,x");
	widths = l.cells.table.widths;
	assert_int_equal(widths[0], 8); /* a figure is at least as wide as its title */
	assert_int_equal(widths[1], 12);
	assert_in_range(widths[2], 1, 65535);
	assert_int_equal(widths[3], strlen("What"));
}

static void a_group_makes_room_for_all_members(void **state)
{
	_cleanup_(done) struct laid_out l;

	(void)state;
	sample_together(&l.sample);
	lay_out(&l, NULL);
	assert_int_equal(l.cells.table.widths[0], 16);
	assert_int_equal(l.cells.table.widths[1], 24);
}

static void only_the_last_cell_may_end_early(void **state)
{
	_cleanup_(done) struct laid_out l;
	const void *row;

	(void)state;
	sample_apart(&l.sample);
	lay_out(&l, "0,0,4,20");
	row = &l.sample.groups[0]->entries[1];
	table_add_cells(&l.cells.table, row, false, &l.scratch, &l.out);
	assert_string_equal(l.out.chars, "  39.60%            39  sh    [.] main");
	text_clear(&l.out);
	table_add_cells(&l.cells.table, row, true, &l.scratch, &l.out);
	assert_string_equal(l.out.chars, "  39.60%            39  sh    [.] main            ");
}

static void figures_that_mean_nothing_are_not_available(void **state)
{
	_cleanup_(done) struct laid_out l;

	(void)state;
	sample_together(&l.sample);
	example_columns[0].figure = figure_get("overhead_children");
	l.sample.plan.columns.n = 1;
	lay_out(&l, NULL);
	table_add_cells(&l.cells.table, &l.sample.groups[0]->entries[0], false, &l.scratch, &l.out);
	assert_string_equal(l.out.chars, "     N/A");
}

static void no_two_members_of_json_have_the_same_name(void **state)
{
	static const struct key_type types[] = {
		{ .name = "pid", .parts = { { .name = "pid" }, { .name = "comm" } } },
		{ .name = "comm", .parts = { { .name = "comm" } } },
		{ .name = "field", .parts = { { .name = "pid" }, { .name = "more" } } },
		{ .name = "loud", .parts = { { .name = "a" }, { .name = "b", .verbose = true } } },
	};
	static const char *const names[] = { "pid", "comm", "pid#2", "more", "a" };
	struct key keys[ARRAY_SIZE(types)];
	struct report_column columns[ARRAY_SIZE(types)];
	struct report_columns sets[2] = { { .items = columns, .n = 2 },
					  { .items = columns + 2, .n = 2 } };
	struct report_plan plan = { .keys = { .items = keys, .n = ARRAY_SIZE(types) } };
	const struct report_view view = { .plan = &plan };
	static const struct report_group nobody;
	_cleanup_(report_cells_done) struct report_cells c;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		keys[i] = (struct key){ .type = &types[i], .parts = types[i].parts };
		columns[i] = (struct report_column){ .key = i, .title = "x" };
	}
	report_cells_init_json(&c, &view, &nobody,
			       (const struct report_columns *const[]){ &sets[0], &sets[1] }, 2);
	assert_int_equal(c.table.n, ARRAY_SIZE(names));
	for (size_t i = 0; i < c.table.n; i++)
		assert_string_equal(c.table.columns[i].name, names[i]);
	assert_int_equal(report_cells_set(&c, 0).n, 2);
	assert_string_equal(report_cells_set(&c, 1).columns[0].name, "pid#2");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_grow_with_what_is_in_them),
		cmocka_unit_test(widths_are_those_asked_for),
		cmocka_unit_test(a_group_makes_room_for_all_members),
		cmocka_unit_test(only_the_last_cell_may_end_early),
		cmocka_unit_test(figures_that_mean_nothing_are_not_available),
		cmocka_unit_test(no_two_members_of_json_have_the_same_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
