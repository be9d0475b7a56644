/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/text.h"
#include "report-sample.h"
#include "view/report/row-text.h"

static void add_row(struct report_row_text *r, const struct report_group *g, size_t i, size_t skip,
		    struct text *t)
{
	report_row_text_add(r, &g->entries[i], 0, '+', skip, t);
	text_add_char(t, '\n');
}

static void rows_have_a_sign_and_the_cells_of_the_table(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_row_text_freep) struct report_row_text *r = NULL;
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	r = report_row_text_new(&s.view, s.groups[0]);
	assert_int_equal(report_row_text_levels(r), 0);
	for (size_t i = 0; i < s.groups[0]->n; i++)
		report_row_text_fit(r, &s.groups[0]->entries[i], 0);
	report_row_text_heads(r, 0, &t);
	text_add_char(&t, '\n');
	for (size_t i = 0; i < s.groups[0]->n; i++)
		add_row(r, s.groups[0], i, 0, &t);
	assert_string_equal(t.chars, "  Overhead       Samples  Who     What         \n"
				     "+   60.00%            60  sh      [k] copy_page\n"
				     "+   39.60%            39  sh      [.] main\n"
				     "+    0.40%             0  longer  [.] f,g\n");
	sample_done(&s);
}

static void columns_are_left_out_from_the_left(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_row_text_freep) struct report_row_text *r = NULL;
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	r = report_row_text_new(&s.view, s.groups[0]);
	assert_int_equal(report_row_text_columns(r), 4);
	report_row_text_fit(r, &s.groups[0]->entries[0], 0);
	add_row(r, s.groups[0], 0, 2, &t);
	add_row(r, s.groups[0], 0, 3, &t);
	add_row(r, s.groups[0], 0, 9, &t);
	assert_string_equal(t.chars, "+ sh   [k] copy_page\n"
				     "+ [k] copy_page\n"
				     "+ \n");
	sample_done(&s);
}

static void keys_tell_rows_apart(void **state)
{
	_cleanup_(text_done) struct text before = TEXT_EMPTY;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_row_text_freep) struct report_row_text *r = NULL;
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	r = report_row_text_new(&s.view, s.groups[0]);
	report_row_text_keys(r, &s.groups[0]->entries[1], 0, &t);
	text_add(&before, t.chars);
	/* The texts do not depend on the width of the columns. */
	assert_non_null(strstr(t.chars, "sh\n"));
	assert_non_null(strstr(t.chars, "main\n"));
	text_clear(&t);
	report_row_text_fit(r, &s.groups[0]->entries[2], 0);
	report_row_text_keys(r, &s.groups[0]->entries[1], 0, &t);
	assert_string_equal(t.chars, before.chars);
	sample_done(&s);
}

static void events_of_a_group_stand_side_by_side(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(report_row_text_freep) struct report_row_text *r = NULL;
	struct report_sample s;

	(void)state;
	sample_together(&s);
	r = report_row_text_new(&s.view, s.groups[0]);
	report_row_text_fit(r, &s.groups[0]->entries[0], 0);
	add_row(r, s.groups[0], 0, 0, &t);
	assert_string_equal(t.chars,
			    "+   60.00%   0.00%            60           0  sh   [k] copy_page\n");
	sample_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_a_sign_and_the_cells_of_the_table),
		cmocka_unit_test(columns_are_left_out_from_the_left),
		cmocka_unit_test(keys_tell_rows_apart),
		cmocka_unit_test(events_of_a_group_stand_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
