/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "tools/data/sqlite.h"

#define N_ROWS 20000

struct written {
	size_t n;
	int64_t sum;
	enum export_table last;
	size_t width;
	bool in_order;
};

static void note(void *arg, enum export_table table, const int64_t *numbers, size_t n)
{
	struct written *w = arg;

	w->in_order &= numbers[0] == (int64_t)w->n;
	w->n++;
	w->sum += numbers[n - 1];
	w->last = table;
	w->width = n;
}

static void add_row(struct sql_batches *b, int64_t i, size_t width)
{
	struct export_value values[EXPORT_COLUMNS_MAX] = { { .number = i } };

	values[width - 1].number = i;
	sql_batches_add(b, i % 2 ? EXPORT_SAMPLE : EXPORT_CALL_PATH, values, width);
}

static void rows_are_written_once_and_in_their_order(void **state)
{
	struct written w = { .in_order = true };
	_cleanup_(sql_batches_done) struct sql_batches b = { .write = note, .arg = &w };

	(void)state;
	sql_batches_init(&b);
	for (int64_t i = 0; i < N_ROWS; i++)
		add_row(&b, i, 1 + (size_t)i % EXPORT_COLUMNS_MAX);
	sql_batches_wait(&b);
	assert_int_equal(w.n, N_ROWS);
	assert_int_equal(w.sum, (int64_t)N_ROWS * (N_ROWS - 1) / 2);
	assert_true(w.in_order);
	assert_int_equal(w.last, EXPORT_SAMPLE);
}

static void what_is_waited_for_is_written_and_more_may_follow(void **state)
{
	struct written w = { .in_order = true };
	_cleanup_(sql_batches_done) struct sql_batches b = { .write = note, .arg = &w };

	(void)state;
	sql_batches_init(&b);
	sql_batches_wait(&b);
	assert_int_equal(w.n, 0);
	add_row(&b, 0, 3);
	sql_batches_wait(&b);
	assert_int_equal(w.n, 1);
	assert_int_equal(w.width, 3);
	add_row(&b, 1, EXPORT_COLUMNS_MAX);
	sql_batches_wait(&b);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.width, EXPORT_COLUMNS_MAX);
}

static void an_end_without_waiting_leaves_no_row_half_written(void **state)
{
	struct written w = { .in_order = true };
	struct sql_batches b = { .write = note, .arg = &w };

	(void)state;
	sql_batches_init(&b);
	for (int64_t i = 0; i < 3000; i++)
		add_row(&b, i, EXPORT_COLUMNS_MAX);
	sql_batches_done(&b);
	assert_true(w.in_order);
	assert_in_range(w.n, 1, 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_written_once_and_in_their_order),
		cmocka_unit_test(what_is_waited_for_is_written_and_more_may_follow),
		cmocka_unit_test(an_end_without_waiting_leaves_no_row_half_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
