/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "tools/lock/rows-model.h"

static void add(struct lock_rows *r, uint64_t key, const char *name, uint64_t ns)
{
	struct lock_entry *e = lock_rows_add(r, key);

	e->row.name = name;
	e->row.tid = (uint32_t)key;
	e->row.contended = 1;
	lock_entry_wait(e, 1, ns, ns, ns);
}

/* The order in which Linux's perf shows threads 100 to 104 if they waited equally long. */
static void equal_rows_are_in_the_order_of_a_hash_table(void **state)
{
	static const uint32_t order[] = { 100, 103, 101, 104, 102 };
	_cleanup_(lock_rows_done) struct lock_rows r = { 0 };
	const struct lock_row *rows;
	size_t n;

	(void)state;
	for (uint64_t i = 100; i < 105; i++)
		add(&r, i, "", 1000);
	rows = lock_rows_sort(&r, &(struct lock_sort){ .key = LOCK_FIELD_WAIT_TOTAL }, &n);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(rows[i].tid, order[i]);
}

static void the_largest_comes_first(void **state)
{
	_cleanup_(lock_rows_done) struct lock_rows r = { 0 };
	const struct lock_row *rows;
	size_t n;

	(void)state;
	add(&r, 1, "", 10);
	add(&r, 2, "", 30);
	add(&r, 3, "", 20);
	lock_entry_wait(lock_rows_find(&r, 3), 1, 5, 5, 5);
	rows = lock_rows_sort(&r, &(struct lock_sort){ .key = LOCK_FIELD_WAIT_MIN }, &n);
	assert_int_equal(rows[0].tid, 2);
	assert_int_equal(rows[2].tid, 3);
	assert_int_equal(rows[2].min_ns, 5);
	assert_int_equal(rows[2].avg_ns, 12);
	assert_int_equal(rows[2].max_ns, 20);
}

static void a_row_without_waits_has_no_shortest(void **state)
{
	_cleanup_(lock_rows_done) struct lock_rows r = { 0 };
	const struct lock_row *rows;
	size_t n;

	(void)state;
	lock_rows_add(&r, 1);
	rows = lock_rows_sort(&r, &(struct lock_sort){ .key = LOCK_FIELD_WAIT_MIN }, &n);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].min_ns, 0);
	assert_int_equal(rows[0].avg_ns, 0);
	assert_null(lock_rows_find(&r, 2));
}

static void rows_of_one_name_are_combined(void **state)
{
	const struct lock_sort how = { .key = LOCK_FIELD_CONTENDED, .combine = true };
	_cleanup_(lock_rows_done) struct lock_rows r = { 0 };
	const struct lock_row *rows;
	size_t n;

	(void)state;
	add(&r, 1, "inode", 10);
	add(&r, 2, "queue", 99);
	add(&r, 3, "inode", 30);
	for (int again = 0; again < 2; again++) {
		rows = lock_rows_sort(&r, &how, &n);
		assert_int_equal(n, 2);
		assert_string_equal(rows[0].name, "inode");
		assert_int_equal(rows[0].contended, 2);
		assert_int_equal(rows[0].total_ns, 40);
		assert_int_equal(rows[0].avg_ns, 20);
		assert_int_equal(rows[0].min_ns, 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_rows_are_in_the_order_of_a_hash_table),
		cmocka_unit_test(the_largest_comes_first),
		cmocka_unit_test(a_row_without_waits_has_no_shortest),
		cmocka_unit_test(rows_of_one_name_are_combined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
