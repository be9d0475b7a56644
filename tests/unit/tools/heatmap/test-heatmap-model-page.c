/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/diag.h"
#include "profile/page/page.h"
#include "tools/heatmap/heatmap-model.h"

#define MS UINT64_C(1000000)

static void make_map(struct heat_map *m)
{
	struct heat *h = heat_new(&(struct heat_options){
		.max = 3 * MS, .rows = 3, .columns = 10, .step_ns = 500 * MS });
	struct diag diag = { 0 };

	heat_start(h, 7000 * MS);
	heat_add(h, 7000 * MS, MS);
	heat_add(h, 8000 * MS, MS);
	heat_add(h, 8000 * MS, MS);
	heat_add(h, 8000 * MS, 4 * MS);
	assert_int_equal(heat_settle(h, m, &diag), 0);
	heat_free(h);
}

static void axes_are_those_of_the_map(void **state)
{
	struct heat_map m;
	struct page p;

	(void)state;
	make_map(&m);
	page_init(&p);
	heat_page_fill(&p, &m, true);
	assert_int_equal(p.views, PAGE_VIEW_HEAT | PAGE_VIEW_FACTS);
	assert_string_equal(p.heat->x.unit, "ns");
	assert_true(p.heat->x.step == 5e8);
	assert_int_equal(p.heat->x.n, 3);
	assert_string_equal(p.heat->y.unit, "ns");
	assert_int_equal(p.heat->y.n, 3);
	assert_true(p.heat->y.bounds[3] == 3e6);
	assert_int_equal(p.heat->over, 1);
	page_done(&p);
	heat_map_done(&m);
}

static void plain_numbers_have_no_unit(void **state)
{
	struct heat_map m;
	struct page p;

	(void)state;
	make_map(&m);
	page_init(&p);
	heat_page_fill(&p, &m, false);
	assert_string_equal(p.heat->y.unit, "");
	assert_true(p.heat->y.bounds[3] == 3000000);
	page_done(&p);
	heat_map_done(&m);
}

static void cells_go_by_column(void **state)
{
	struct heat_map m;
	struct page p;

	(void)state;
	make_map(&m);
	page_init(&p);
	heat_page_fill(&p, &m, true);
	assert_int_equal(p.heat->n, 2);
	assert_int_equal(p.heat->cells[0].column, 0);
	assert_int_equal(p.heat->cells[0].row, 1);
	assert_int_equal(p.heat->cells[0].count, 1);
	assert_int_equal(p.heat->cells[1].column, 2);
	assert_int_equal(p.heat->cells[1].count, 2);
	page_done(&p);
	heat_map_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(axes_are_those_of_the_map),
		cmocka_unit_test(plain_numbers_have_no_unit),
		cmocka_unit_test(cells_go_by_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
