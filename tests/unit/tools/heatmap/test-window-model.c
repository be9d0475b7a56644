/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "tools/heatmap/window-model.h"

#define START 1000000000ull
#define STEP  1000000ull

static const struct heat_options options = {
	.scale = HEAT_LINEAR, .max = 10, .rows = 2, .columns = 5, .step_ns = STEP
};

static uint64_t at(uint64_t column)
{
	return START + column * STEP;
}

static struct heat_map settled(struct heat_window *w, uint64_t column)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heat_map m = { 0 };

	assert_int_equal(heat_window_settle(w, at(column), &m, &diag), 0);
	assert_int_equal(m.step_ns, STEP);
	return m;
}

static void it_grows_until_the_window_is_full(void **state)
{
	struct heat_window w;
	struct heat_map m;

	(void)state;
	heat_window_init(&w, &options, START);
	heat_window_add(&w, at(0), 1);
	heat_window_add(&w, at(0) + 1, 9);
	heat_window_add(&w, at(2), 1);
	heat_window_add(&w, START - 1, 1); /* before its time */
	m = settled(&w, 4);
	assert_int_equal(m.n_columns, 4);
	assert_int_equal(m.start_ns, START);
	assert_int_equal(m.total, 3);
	assert_int_equal(heat_count(&m, 0, 0), 1);
	assert_int_equal(heat_count(&m, 0, m.rows.n - 1), 1);
	assert_int_equal(m.column_totals[2], 1);
	assert_int_equal(m.column_totals[3], 0);
	heat_map_done(&m);
	heat_window_done(&w);
}

static void then_it_scrolls_and_forgets(void **state)
{
	struct heat_window w;

	(void)state;
	heat_window_init(&w, &options, START);
	/* Column i has i + 1 values. */
	for (uint64_t i = 0; i < 40; i++) {
		struct heat_map m;

		for (uint64_t n = 0; n <= i; n++)
			heat_window_add(&w, at(i), 1);
		m = settled(&w, i + 1);
		assert_int_equal(m.n_columns, i < 5 ? i + 1 : 5);
		assert_int_equal(m.column_totals[m.n_columns - 1], i + 1);
		assert_int_equal(m.column_totals[0], i < 5 ? 1 : i - 3);
		assert_int_equal(m.start_ns, at(i < 5 ? 0 : i - 4));
		assert_int_equal(m.highest, i + 1);
		/* There are never more than two windows and a column. */
		assert_true(i + 1 - (w.start_ns - START) / STEP <= 11);
		heat_map_done(&m);
	}
	heat_window_done(&w);
}

static void silence_is_empty_columns(void **state)
{
	struct heat_window w;
	struct heat_map m;

	(void)state;
	heat_window_init(&w, &options, START);
	heat_window_add(&w, at(0), 1);
	m = settled(&w, 9);
	assert_int_equal(m.n_columns, 5);
	assert_int_equal(m.total, 0);
	heat_map_done(&m);
	heat_window_done(&w);
}

static void nothing_at_all_is_said(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heat_window w;
	struct heat_map m;

	(void)state;
	heat_window_init(&w, &options, START);
	assert_int_equal(heat_window_settle(&w, at(3), &m, &diag), -ENODATA);
	heat_window_done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_grows_until_the_window_is_full),
		cmocka_unit_test(then_it_scrolls_and_forgets),
		cmocka_unit_test(silence_is_empty_columns),
		cmocka_unit_test(nothing_at_all_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
