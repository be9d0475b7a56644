/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "tools/kmem/event-model.h"
#include "tools/kmem/pages-model.h"

static void allocate(struct page_model *m, uint64_t page, uint32_t order, uint64_t site)
{
	page_model_alloc(
		m,
		&(struct kmem_event){
			.page = page, .order = order, .gfp_flags = 0xcc0, .migratetype = 1 },
		site);
}

static void release(struct page_model *m, uint64_t page, uint32_t order)
{
	page_model_free(m, &(struct kmem_event){ .page = page, .order = order });
}

static void rows_of_a_call_site_differ_by_order(void **state)
{
	struct page_model m = { 0 };
	struct kmem_page_row *rows;
	size_t n;

	(void)state;
	allocate(&m, 1, 1, 50);
	allocate(&m, 3, 0, 50);
	allocate(&m, 4, 0, 50);
	allocate(&m, 5, 0, 40);
	rows = page_model_callers(&m, &n);
	assert_int_equal(n, 3);
	assert_int_equal(rows[0].call_site, 40);
	assert_int_equal(rows[1].order, 0);
	assert_int_equal(rows[1].hits, 2);
	assert_int_equal(rows[1].bytes, 8192);
	assert_int_equal(rows[2].bytes, 8192);
	assert_int_equal(m.totals.orders[0][1], 3);
	free(rows);
	rows = page_model_pages(&m, &n);
	assert_int_equal(n, 0);
	free(rows);
	page_model_done(&m);
}

static void frees_are_matched_with_allocations(void **state)
{
	struct page_model m = { .wants_rows = true };

	(void)state;
	allocate(&m, 1, 1, 50);
	release(&m, 1, 1);
	release(&m, 1, 1);
	release(&m, 7, 0);
	assert_int_equal(m.totals.frees.requests, 3);
	assert_int_equal(m.totals.freed.requests, 1);
	assert_int_equal(m.totals.free_only.requests, 2);
	assert_int_equal(m.totals.free_only.bytes, 12288);
	assert_int_equal(page_model_alloc_only(&m).requests, 0);
	page_model_done(&m);
}

static void live_counts_only_what_was_not_freed(void **state)
{
	struct page_model m = { .live = true, .wants_rows = true };
	struct kmem_page_row *rows;
	size_t n;

	(void)state;
	allocate(&m, 1, 0, 50);
	allocate(&m, 2, 0, 50);
	allocate(&m, 3, 0, 50);
	release(&m, 2, 0);
	rows = page_model_callers(&m, &n);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].hits, 2);
	free(rows);
	rows = page_model_pages(&m, &n);
	assert_int_equal(n, 2);
	assert_int_equal(rows[0].page, 3);
	assert_int_equal(rows[1].page, 1);
	assert_int_equal(m.totals.orders[0][1], 2);
	free(rows);
	page_model_done(&m);
}

static void a_free_of_another_order_takes_no_more_than_there_is(void **state)
{
	struct page_model m = { .live = true };
	struct kmem_page_row *rows;
	size_t n;

	(void)state;
	allocate(&m, 1, 0, 50);
	release(&m, 1, 9);
	rows = page_model_callers(&m, &n);
	assert_int_equal(n, 0);
	free(rows);
	page_model_done(&m);
}

static void a_failure_is_a_request_without_a_row(void **state)
{
	struct page_model m = { 0 };
	struct kmem_page_row *rows;
	size_t n;

	(void)state;
	page_model_alloc(&m, &(struct kmem_event){ .failed = true, .order = 3 }, 50);
	rows = page_model_callers(&m, &n);
	assert_int_equal(n, 0);
	assert_int_equal(m.totals.failures.bytes, 32768);
	assert_int_equal(m.totals.allocations.requests, 1);
	assert_int_equal(page_model_alloc_only(&m).requests, 1);
	free(rows);
	page_model_done(&m);
}

static void absurd_orders_and_types_are_counted_but_not_in_the_summary(void **state)
{
	struct page_model m = { 0 };
	uint64_t *flags;
	size_t n;

	(void)state;
	page_model_alloc(&m, &(struct kmem_event){ .order = UINT32_MAX, .migratetype = -1 }, 1);
	page_model_alloc(&m, &(struct kmem_event){ .page = 1, .migratetype = 99 }, 1);
	assert_int_equal(m.totals.allocations.requests, 2);
	assert_int_equal(page_order_bytes(UINT32_MAX), UINT64_C(4096) << 51);
	flags = page_model_flags(&m, &n);
	assert_int_equal(n, 2);
	free(flags);
	page_model_done(&m);
}

static void sums_of_others_are_taken_over(void **state)
{
	const struct kmem_page_row row = {
		.call_site = 5, .order = 1, .migratetype = 2, .hits = 3
	};
	const struct kmem_page_row page = { .page = 9, .call_site = 5, .order = 1 };
	struct page_model m = { .live = true, .wants_rows = true };
	struct kmem_page_row *rows;
	size_t n;

	(void)state;
	page_model_add(&m, &row, 2);
	page_model_add(&m, &row, 0);
	page_model_add_page(&m, &page);
	assert_int_equal(m.totals.allocations.requests, 6);
	assert_int_equal(m.totals.freed.bytes, 16384);
	assert_int_equal(m.totals.orders[1][2], 4);
	rows = page_model_callers(&m, &n);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].hits, 4);
	assert_int_equal(rows[0].bytes, 32768);
	free(rows);
	rows = page_model_pages(&m, &n);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].page, 9);
	free(rows);
	page_model_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_a_call_site_differ_by_order),
		cmocka_unit_test(frees_are_matched_with_allocations),
		cmocka_unit_test(live_counts_only_what_was_not_freed),
		cmocka_unit_test(a_free_of_another_order_takes_no_more_than_there_is),
		cmocka_unit_test(a_failure_is_a_request_without_a_row),
		cmocka_unit_test(sums_of_others_are_taken_over),
		cmocka_unit_test(absurd_orders_and_types_are_counted_but_not_in_the_summary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
