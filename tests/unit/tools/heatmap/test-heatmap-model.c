/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "tools/heatmap/heatmap-model.h"

#define MS UINT64_C(1000000)

static const struct heat_options usual = { .rows = 50, .columns = 100 };

static void settle(struct heat *h, struct heat_map *m)
{
	struct diag diag = { 0 };

	assert_int_equal(heat_settle(h, m, &diag), 0);
}

static uint64_t sum(const struct heat_map *m)
{
	uint64_t n = 0, columns = 0;

	for (size_t c = 0; c < m->n_columns; c++) {
		columns += m->column_totals[c];
		for (size_t r = 0; r < m->rows.n; r++)
			n += heat_count(m, c, r);
	}
	assert_int_equal(columns, m->total);
	return n;
}

static void counts_are_exact_however_long_it_takes(void **state)
{
	struct heat *h = heat_new(&usual);
	struct heat_map m;

	(void)state;
	heat_start(h, 1000 * MS);
	for (uint64_t i = 0; i < 100000; i++)
		heat_add(h, 1000 * MS + i * MS, 1000 + i % 40 * 1000);
	settle(h, &m);
	assert_int_equal(m.total, 100000);
	assert_int_equal(sum(&m), 100000);
	assert_int_equal(m.start_ns, 1000 * MS);
	assert_int_equal(m.step_ns, 1000 * MS);
	assert_int_equal(m.n_columns, 100);
	assert_int_equal(m.column_totals[17], 1000);
	assert_int_equal(m.rows.bounds[1], 1000);
	assert_int_equal(heat_count(&m, 17, 1), 25); /* [1000, 2000): every 40th */
	assert_false(m.is_log);
	heat_map_done(&m);
	heat_free(h);
}

static void many_are_as_so_many_times_one(void **state)
{
	struct heat *h = heat_new(&usual);
	struct heat_map m;

	(void)state;
	heat_add_many(h, 1000 * MS, 1000, 70);
	heat_add(h, 1000 * MS, 1000);
	heat_add_many(h, 2000 * MS, 5000, 3);
	settle(h, &m);
	assert_int_equal(m.total, 74);
	assert_int_equal(sum(&m), 74);
	assert_int_equal(m.column_totals[0], 71);
	heat_map_done(&m);
	heat_free(h);
}

static void the_order_of_values_does_not_matter(void **state)
{
	struct heat *a = heat_new(&usual), *b = heat_new(&usual);
	struct heat_map ma, mb;

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		heat_add(a, 7 * MS + i * 12345, i * i % 7919);
		heat_add(b, 7 * MS + (4999 - i) * 12345, (4999 - i) * (4999 - i) % 7919);
	}
	settle(a, &ma);
	settle(b, &mb);
	assert_int_equal(ma.n_columns, mb.n_columns);
	assert_int_equal(ma.start_ns, mb.start_ns);
	assert_int_equal(ma.rows.n, mb.rows.n);
	assert_memory_equal(ma.counts, mb.counts, ma.n_columns * ma.rows.n * sizeof(*ma.counts));
	heat_map_done(&ma);
	heat_map_done(&mb);
	heat_free(a);
	heat_free(b);
}

static void what_lies_outside_is_counted(void **state)
{
	struct heat_options o = usual;
	struct heat_map m;
	struct heat *h;

	(void)state;
	o.min = 10;
	o.max = 110;
	o.rows = 10;
	h = heat_new(&o);
	heat_add(h, 1, 9);
	heat_add(h, 1, 10);
	heat_add(h, 1, 110);
	heat_add(h, 1, 111);
	settle(h, &m);
	assert_int_equal(m.under, 1);
	assert_int_equal(m.over, 1);
	assert_int_equal(m.total, 4);
	assert_int_equal(sum(&m), 2);
	assert_int_equal(heat_count(&m, 0, 0), 1);
	assert_int_equal(heat_count(&m, 0, 9), 1);
	assert_int_equal(m.largest, 111);
	assert_int_equal(m.smallest, 9);
	heat_map_done(&m);
	heat_free(h);
}

static void outliers_make_the_axis_logarithmic(void **state)
{
	struct heat_map m;
	struct heat *h = heat_new(&usual);

	(void)state;
	for (int i = 0; i < 100; i++)
		heat_add(h, 1, 100 + (uint64_t)i);
	heat_add(h, 1, 1000000);
	settle(h, &m);
	assert_true(m.is_log);
	assert_int_equal(sum(&m), 101);
	assert_true(m.rows.n <= 50);
	heat_map_done(&m);
	heat_free(h);
}

static void a_linear_axis_can_be_asked_for(void **state)
{
	struct heat_options o = usual;
	struct heat_map m;
	struct heat *h;

	(void)state;
	o.scale = HEAT_LINEAR;
	h = heat_new(&o);
	heat_add(h, 1, 100);
	heat_add(h, 1, 100);
	heat_add(h, 1, 1000000);
	settle(h, &m);
	assert_false(m.is_log);
	assert_int_equal(heat_count(&m, 0, 0), 2);
	heat_map_done(&m);
	heat_free(h);
}

static void a_logarithmic_axis_may_have_an_end(void **state)
{
	struct heat_options o = usual;
	struct heat_map m;
	struct heat *h;

	(void)state;
	o.scale = HEAT_LOG;
	o.max = 3000;
	h = heat_new(&o);
	heat_add(h, 1, 150);
	heat_add(h, 1, 3000);
	heat_add(h, 1, 3001);
	settle(h, &m);
	assert_true(m.is_log);
	assert_int_equal(m.over, 1);
	assert_int_equal(m.rows.bounds[m.rows.n], 3000);
	assert_int_equal(heat_count(&m, 0, m.rows.n - 1), 1);
	heat_map_done(&m);
	heat_free(h);
}

static void an_axis_that_begins_above_zero_is_exact_too(void **state)
{
	struct heat_options o = usual;
	struct heat_map m;
	struct heat *h;

	(void)state;
	o.min = 12345678;
	h = heat_new(&o);
	for (uint64_t i = 0; i < 500; i++)
		heat_add(h, 1, o.min + i);
	settle(h, &m);
	assert_int_equal(m.rows.bounds[0], 12345678);
	assert_int_equal(m.rows.n, 50);
	for (size_t r = 0; r < m.rows.n; r++)
		assert_int_equal(heat_count(&m, 0, r), 10);
	heat_map_done(&m);
	heat_free(h);
}

static void a_given_step_is_kept(void **state)
{
	struct heat_options o = usual;
	struct diag diag = { 0 };
	struct heat_map m;
	struct heat *h;

	(void)state;
	o.step_ns = 3 * MS;
	h = heat_new(&o);
	heat_start(h, 10 * MS);
	heat_add(h, 10 * MS, 1);
	heat_add(h, 19 * MS, 1);
	settle(h, &m);
	assert_int_equal(m.step_ns, 3 * MS);
	assert_int_equal(m.n_columns, 4);
	assert_int_equal(m.column_totals[3], 1);
	heat_map_done(&m);
	heat_add(h, UINT64_MAX, 1);
	assert_int_equal(heat_settle(h, &m, &diag), -E2BIG);
	diag_done(&diag);
	heat_free(h);
}

static void absurd_times_and_values_are_counted(void **state)
{
	struct heat_map m;
	struct heat *h = heat_new(&usual);

	(void)state;
	heat_start(h, INT64_MAX);
	heat_add(h, 0, 0);
	heat_add(h, UINT64_MAX, UINT64_MAX);
	heat_add(h, INT64_MAX, 1);
	settle(h, &m);
	assert_int_equal(sum(&m), 3);
	heat_map_done(&m);
	heat_free(h);
}

static void memory_does_not_grow_with_values(void **state)
{
	struct heat_map m;
	struct heat *h = heat_new(&usual);
	uint64_t random = 1;

	(void)state;
	for (uint64_t i = 0; i < 2000000; i++) {
		random = random * 6364136223846793005u + 1;
		heat_add(h, i * 1000, 1000 + (random >> 40) % 100000);
	}
	settle(h, &m);
	assert_int_equal(sum(&m), 2000000);
	heat_map_done(&m);
	heat_free(h);
}

static void columns_can_be_merged(void **state)
{
	struct heat_options o = usual;
	struct heat_map m;
	struct heat *h;

	(void)state;
	o.step_ns = 10;
	h = heat_new(&o);
	heat_start(h, 0);
	for (uint64_t i = 0; i < 100; i++)
		heat_add(h, i, i % 10);
	settle(h, &m);
	assert_int_equal(m.n_columns, 10);
	heat_map_merge_columns(&m, 10);
	assert_int_equal(m.n_columns, 10);
	heat_map_merge_columns(&m, 4);
	assert_int_equal(m.n_columns, 4);
	assert_int_equal(m.step_ns, 30);
	assert_int_equal(m.column_totals[0], 30);
	assert_int_equal(m.column_totals[3], 10);
	assert_int_equal(m.highest, 3);
	assert_int_equal(sum(&m), 100);
	heat_map_done(&m);
	heat_free(h);
}

static void nothing_is_no_picture(void **state)
{
	struct diag diag = { 0 };
	struct heat_map m = { .total = 77 };
	struct heat *h = heat_new(&usual);

	(void)state;
	heat_start(h, 5);
	assert_int_equal(heat_settle(h, &m, &diag), -ENODATA);
	assert_int_equal(m.total, 77);
	diag_done(&diag);
	heat_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_exact_however_long_it_takes),
		cmocka_unit_test(many_are_as_so_many_times_one),
		cmocka_unit_test(the_order_of_values_does_not_matter),
		cmocka_unit_test(what_lies_outside_is_counted),
		cmocka_unit_test(outliers_make_the_axis_logarithmic),
		cmocka_unit_test(a_linear_axis_can_be_asked_for),
		cmocka_unit_test(a_logarithmic_axis_may_have_an_end),
		cmocka_unit_test(an_axis_that_begins_above_zero_is_exact_too),
		cmocka_unit_test(a_given_step_is_kept),
		cmocka_unit_test(absurd_times_and_values_are_counted),
		cmocka_unit_test(memory_does_not_grow_with_values),
		cmocka_unit_test(columns_can_be_merged),
		cmocka_unit_test(nothing_is_no_picture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
