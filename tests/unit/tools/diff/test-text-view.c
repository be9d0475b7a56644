/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff-sample.h"
#include "tools/diff/text-view.h"
#include "view/printed.h"

static struct value get_period(const struct cell *at)
{
	const struct diff_row *row = at->row;

	return value_unsigned(row->cells[at->column->index].period);
}

static void assert_text(const char *separator, bool numbered, const char *wanted)
{
	_cleanup_(diff_sample_done) struct diff_sample s;
	_cleanup_(diff_columns_done) struct diff_columns columns = { .numbered = numbered };
	_cleanup_(diff_text_done) struct diff_text t;
	struct printed p;

	diff_sample_init(&s, 2);
	s.diff = diff_new(&s.options, s.sides, 2);
	s.view.form.separator = separator;
	for (size_t i = 0; i < 2; i++)
		diff_columns_add(&columns, (struct column){ .title = "P",
							    .type = VALUE_UNSIGNED,
							    .width = 4,
							    .get = get_period,
							    .index = i });
	printed_open(&p);
	diff_text_init(&t, p.out, &s.view, s.diff, &columns);
	diff_text_add_heads(&t);
	diff_text_add_row(&t, &s.diff->rows[0], &s.diff->rows[0].entry);
	assert_int_equal(diff_text_flush(&t, true), 0);
	assert_printed(&p, wanted);
}

static void keys_stand_behind_the_columns_of_the_sides(void **state)
{
	(void)state;
	assert_text(NULL, false,
		    "#    P     P  Who   What    \n"
		    "# ....  ....  ....  ........\n"
		    "#\n"
		    "   600   400  sh    [.] main\n");
}

static void titles_may_have_the_number_of_their_side(void **state)
{
	(void)state;
	assert_text(NULL, true,
		    "#  P/0   P/1  Who   What    \n"
		    "# ....  ....  ....  ........\n"
		    "#\n"
		    "   600   400  sh    [.] main\n");
}

static void a_separator_joins_them(void **state)
{
	(void)state;
	assert_text(";", false,
		    "# P;P;Who ;What    \n"
		    "600;400;sh  ;[.] main\n");
}

static void only_keys_are_columns_of_both(void **state)
{
	struct report_plan plan = example_plan();
	struct report_columns c = diff_key_columns(&plan);

	(void)state;
	assert_int_equal(c.n, 2);
	assert_string_equal(c.items[0].title, "Who");
	free(c.items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_stand_behind_the_columns_of_the_sides),
		cmocka_unit_test(titles_may_have_the_number_of_their_side),
		cmocka_unit_test(a_separator_joins_them),
		cmocka_unit_test(only_keys_are_columns_of_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
