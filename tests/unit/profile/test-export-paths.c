/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "profile/export-paths.h"
#include "profile/export.h"

struct taken {
	size_t n;
	int64_t last[4];
	int answer;
};

static int take(void *arg, enum export_table table, const struct export_value *values, size_t n)
{
	struct taken *t = arg;

	assert_int_equal(table, EXPORT_CALL_PATH);
	assert_int_equal(n, 4);
	t->n++;
	for (size_t i = 0; i < n; i++)
		t->last[i] = values[i].number;
	return t->answer;
}

static void equal_stacks_are_one_path(void **state)
{
	_cleanup_(export_paths_done) struct export_paths p = { 0 };
	uint64_t a, b;

	(void)state;
	a = export_paths_step(&p, export_paths_root(&p), 5, 0);
	b = export_paths_step(&p, a, 6, 0);
	assert_int_equal(export_paths_step(&p, export_paths_root(&p), 5, 0), a);
	assert_int_equal(export_paths_step(&p, a, 6, 0), b);
	assert_int_not_equal(export_paths_step(&p, a, 0, 6), b);
	assert_int_not_equal(export_paths_step(&p, b, 6, 0), b);
}

static void a_node_has_one_row_in_the_order_of_making(void **state)
{
	_cleanup_(export_paths_done) struct export_paths p = { 0 };
	struct taken taken = { 0 };
	struct export_rows rows = { .row = take, .arg = &taken };
	uint64_t a;

	(void)state;
	a = export_paths_step(&p, export_paths_root(&p), 5, 0);
	assert_int_equal(export_paths_rows(&p, &rows), 0);
	assert_int_equal(taken.n, 2); /* with the root */
	export_paths_step(&p, a, 0, 0x1000);
	assert_int_equal(export_paths_rows(&p, &rows), 0);
	assert_int_equal(taken.n, 3);
	assert_int_equal(taken.last[0], 3);
	assert_int_equal(taken.last[1], 2);
	assert_int_equal(taken.last[2], 0);
	assert_int_equal(taken.last[3], 0x1000);
}

static void whoever_takes_rows_may_end_it(void **state)
{
	_cleanup_(export_paths_done) struct export_paths p = { 0 };
	struct taken taken = { .answer = -ECANCELED };
	struct export_rows rows = { .row = take, .arg = &taken };

	(void)state;
	export_paths_step(&p, export_paths_root(&p), 5, 0);
	assert_int_equal(export_paths_rows(&p, &rows), -ECANCELED);
	assert_int_equal(taken.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_stacks_are_one_path),
		cmocka_unit_test(a_node_has_one_row_in_the_order_of_making),
		cmocka_unit_test(whoever_takes_rows_may_end_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
