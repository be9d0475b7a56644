/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/lock/fields-view.h"

static void assert_time(uint64_t ns, const char *expected)
{
	const struct lock_columns c = { .items = { LOCK_FIELD_WAIT_MAX }, .n = 1 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	lock_columns_add_values(&c, &(struct lock_row){ .max_ns = ns }, &t);
	assert_string_equal(t.chars, expected);
}

static void times_have_the_largest_unit_that_fits(void **state)
{
	(void)state;
	assert_time(0, "        0 ns ");
	assert_time(999, "      999 ns ");
	assert_time(1000, "     1.00 us ");
	assert_time(999999, "  1000.00 us ");
	assert_time(1234567, "     1.23 ms ");
	assert_time(UINT64_C(59000000000), "    59.00 s  ");
	assert_time(UINT64_C(60000000000), "     1.00 m  ");
	assert_time(UINT64_C(3600000000000), "     1.00 h  ");
}

static void precision_is_that_of_a_float(void **state)
{
	(void)state;
	assert_time(2005, "     2.01 us ");
	assert_time(999995, "   999.99 us ");
	assert_time(999999999, "     1.00 s  ");
}

static void a_column_is_there_once(void **state)
{
	struct lock_columns c = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	lock_columns_add(&c, LOCK_FIELD_WAIT_MIN);
	lock_columns_add(&c, LOCK_FIELD_CONTENDED);
	lock_columns_add(&c, LOCK_FIELD_WAIT_MIN);
	lock_columns_add_heads(&c, &t);
	assert_string_equal(t.chars, "    min wait  contended ");
	text_clear(&t);
	lock_columns_add_csv_heads(&c, ";", &t);
	assert_string_equal(t.chars, "min wait; contended; ");
	text_clear(&t);
	lock_columns_add_csv_values(&c, &(struct lock_row){ .min_ns = 5, .contended = 6 }, ",", &t);
	assert_string_equal(t.chars, "5, 6, ");
}

static void the_trailer_tells_how_many_rows_are_bad(void **state)
{
	const struct lock_failures f = { .acquire = 1, .release = 2 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	lock_trailer_add(&(struct lock_shown){ .rows = 270, .bad_rows = 7 }, &f, &t);
	assert_string_equal(t.chars, "\n=== output for debug===\n\n"
				     "bad: 7, total: 270\n"
				     "bad rate: 2.59 %\n"
				     "histogram of events caused bad sequence\n"
				     "    acquire: 1\n"
				     "   acquired: 0\n"
				     "  contended: 0\n"
				     "    release: 2\n");
	assert_true(lock_failures_any(&f));
	assert_false(lock_failures_any(&(struct lock_failures){ .task = 1 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_the_largest_unit_that_fits),
		cmocka_unit_test(precision_is_that_of_a_float),
		cmocka_unit_test(a_column_is_there_once),
		cmocka_unit_test(the_trailer_tells_how_many_rows_are_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
