/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "pairs/hist-filters.h"
#include "pairs/histogram.h"
#include "tracepoint/field.h"

/* Checks the condition of @row of 0, 1, 4, 16, ..., 1048576 for a field of @size bytes. */
static void expect(size_t row, unsigned size, bool is_signed, const char *condition)
{
	const struct field_ref f = { .kind = FIELD_NUMBER, .size = size, .is_signed = is_signed };
	struct histogram h;
	struct diag diag = { 0 };
	_cleanup_(freep) char *got = NULL;

	assert_int_equal(histogram_init(&h, &(struct histogram_scale){ 0 }, &diag), 0);
	got = hist_row_condition(&h, row, "len", &f);
	if (condition)
		assert_string_equal(got, condition);
	else
		assert_null(got);
	histogram_done(&h);
}

static void a_row_is_a_range(void **state)
{
	(void)state;
	expect(0, 4, true, "len <= -1");
	expect(1, 4, true, "len >= 0 && len <= 0");
	expect(3, 4, true, "len >= 4 && len <= 15");
	expect(12, 4, true, "len >= 1048576");
	expect(12, 8, false, "len >= 1048576");
}

static void a_field_without_sign_is_never_negative(void **state)
{
	(void)state;
	expect(0, 4, false, NULL);
	expect(0, 8, false, NULL);
	expect(1, 8, false, "len <= 0");
}

static void bounds_beyond_the_field_are_left_out(void **state)
{
	(void)state;
	expect(5, 1, false, "len >= 64"); /* to 255, the largest value */
	expect(6, 1, false, NULL);
	expect(5, 1, true, "len >= 64");
	expect(9, 2, false, "len >= 16384");
	expect(10, 2, false, NULL);
}

static void a_row_of_everything_has_no_condition(void **state)
{
	int64_t bounds[] = { -1000, 1000 };
	struct histogram h = { .bounds = bounds, .n_bounds = 2 };
	const struct field_ref byte = { .kind = FIELD_NUMBER, .size = 1 };
	_cleanup_(freep) char *got = hist_row_condition(&h, 1, "len", &byte);

	(void)state;
	assert_string_equal(got, "");
}

static void filters_are_joined(void **state)
{
	_cleanup_(freep) char *both = hist_join_filters("a == 1 || b", "len >= 4");
	_cleanup_(freep) char *mine = hist_join_filters("a == 1", "");
	_cleanup_(freep) char *rows = hist_join_filters(NULL, "len >= 4");

	(void)state;
	assert_string_equal(both, "(a == 1 || b) && len >= 4");
	assert_string_equal(mine, "a == 1");
	assert_string_equal(rows, "len >= 4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_a_range),
		cmocka_unit_test(a_field_without_sign_is_never_negative),
		cmocka_unit_test(bounds_beyond_the_field_are_left_out),
		cmocka_unit_test(a_row_of_everything_has_no_condition),
		cmocka_unit_test(filters_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
