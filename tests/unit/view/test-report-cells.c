/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "view/report/cells.h"
#include "view/report-sample.h"

static struct report_pen pen_of(const struct report_sample *s, FILE *file)
{
	return (struct report_pen){
		.view = &s->view,
		.group = s->groups[0],
		.file = file,
		.out = TEXT_EMPTY,
		.cell = TEXT_EMPTY,
		.escaped = TEXT_EMPTY,
	};
}

static void columns_grow_with_what_is_in_them(void **state)
{
	struct report_sample s;
	struct report_pen p;
	struct cells c;

	(void)state;
	sample_apart(&s);
	p = pen_of(&s, NULL);
	report_cells_make(&p, &s.plan.columns, NULL, &c);
	assert_int_equal(c.n, 4);
	assert_int_equal(c.items[0].width, 8);
	assert_int_equal(c.items[2].width, strlen("Who"));
	report_cells_fit(&p, &c, &s.groups[0]->entries[2]);
	assert_int_equal(c.items[2].width, strlen("longer"));
	assert_int_equal(report_cells_width(&c, 2), 8 + 2 + 12 + 2 + 6 + 2 + 7);
	report_cells_done(&c);
	report_pen_done(&p);
	sample_done(&s);
}

static void widths_are_those_asked_for(void **state)
{
	struct report_sample s;
	struct report_pen p;
	struct cells c;

	(void)state;
	sample_apart(&s);
	p = pen_of(&s, NULL);
	report_cells_make(&p, &s.plan.columns, "3,,99999999999999999999,x", &c);
	assert_int_equal(c.items[0].width, 8); /* a figure's is not below its title's */
	assert_int_equal(c.items[1].width, 12);
	assert_in_range(c.items[2].width, 1, 65535);
	assert_int_equal(c.items[3].width, strlen("What"));
	report_cells_done(&c);
	report_pen_done(&p);
	sample_done(&s);
}

static void blanks_behind_the_last_title_have_an_end(void **state)
{
	struct report_sample s;
	struct report_pen p;
	struct cells c;

	(void)state;
	sample_apart(&s);
	p = pen_of(&s, NULL);
	report_cells_make(&p, &s.plan.columns, NULL, &c);
	c.items[2].width = c.items[3].width = 3000;
	report_cells_print_titles(&p, &c);
	assert_int_equal(p.out.length, 8 + 2 + 12 + 2 + 3000 + 2 + 1023);
	report_cells_done(&c);
	report_pen_done(&p);
	sample_done(&s);
}

static void a_group_makes_room_for_all_members(void **state)
{
	struct report_sample s;
	struct report_pen p;
	struct cells c;

	(void)state;
	sample_together(&s);
	p = pen_of(&s, NULL);
	report_cells_make(&p, &s.plan.columns, NULL, &c);
	assert_int_equal(c.items[0].width, 16);
	assert_int_equal(c.items[1].width, 24);
	report_cells_done(&c);
	report_pen_done(&p);
	sample_done(&s);
}

static void only_the_last_cell_may_end_early(void **state)
{
	struct report_sample s;
	struct report_pen p;
	struct cells c;

	(void)state;
	sample_apart(&s);
	p = pen_of(&s, NULL);
	report_cells_make(&p, &s.plan.columns, "0,0,4,20", &c);
	report_cells_print(&p, &c, &s.groups[0]->entries[1], false);
	assert_string_equal(p.out.chars, "  39.60%            39  sh    [.] main");
	text_clear(&p.out);
	report_cells_print(&p, &c, &s.groups[0]->entries[1], true);
	assert_string_equal(p.out.chars, "  39.60%            39  sh    [.] main            ");
	report_cells_done(&c);
	report_pen_done(&p);
	sample_done(&s);
}

static void shares_of_nothing_are_nothing(void **state)
{
	struct report_sample s;
	struct report_pen p;

	(void)state;
	sample_apart(&s);
	p = pen_of(&s, NULL);
	assert_true(report_percent(&p, 0, 250) == 25.0);
	assert_true(report_entry_percent(&p, &s.groups[0]->entries[0]) == 60.0);
	s.rows[0].rows.shown.period = 0;
	assert_true(report_percent(&p, 0, 250) == 0);
	report_pen_done(&p);
	sample_done(&s);
}

static void callers_that_have_no_rows_have_no_weight(void **state)
{
	struct report_sample s;
	struct report_pen p;

	(void)state;
	sample_apart(&s);
	p = pen_of(&s, NULL);
	assert_false(report_figure_is_known(&p, figure_get("overhead_children")));
	assert_true(report_figure_is_known(&p, figure_get("overhead")));
	s.plan.children = true;
	assert_true(report_figure_is_known(&p, figure_get("overhead_children")));
	report_pen_done(&p);
	sample_done(&s);
}

static void a_stream_that_fails_is_told(void **state)
{
	struct report_sample s;
	struct report_pen p;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	setvbuf(full, NULL, _IONBF, 0);
	sample_apart(&s);
	p = pen_of(&s, full);
	text_add(&p.out, "x");
	assert_int_equal(report_pen_flush(&p, false), 0); /* too little to be worth it */
	assert_true(report_pen_flush(&p, true) < 0);
	report_pen_done(&p);
	sample_done(&s);
	fclose(full);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_grow_with_what_is_in_them),
		cmocka_unit_test(widths_are_those_asked_for),
		cmocka_unit_test(blanks_behind_the_last_title_have_an_end),
		cmocka_unit_test(a_group_makes_room_for_all_members),
		cmocka_unit_test(only_the_last_cell_may_end_early),
		cmocka_unit_test(shares_of_nothing_are_nothing),
		cmocka_unit_test(callers_that_have_no_rows_have_no_weight),
		cmocka_unit_test(a_stream_that_fails_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
