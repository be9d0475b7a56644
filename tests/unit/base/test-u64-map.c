/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/u64-map.h"

static int values[5000];

static void an_empty_map_holds_nothing(void **state)
{
	_cleanup_(u64_map_done) struct u64_map m = { 0 };

	(void)state;
	assert_null(u64_map_find(&m, 0));
	assert_null(u64_map_find(&m, UINT64_MAX));
}

static void what_was_put_is_found_as_it_grows(void **state)
{
	/* Runs, multiples of a page, and numbers that differ in their high half only. */
	static const unsigned shifts[] = { 0, 12, 32, 50 };

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(shifts); s++) {
		_cleanup_(u64_map_done) struct u64_map m = { 0 };

		for (uint64_t i = 0; i < ARRAY_SIZE(values); i++)
			u64_map_put(&m, i << shifts[s], &values[i]);
		assert_int_equal(m.n, ARRAY_SIZE(values));
		for (uint64_t i = 0; i < ARRAY_SIZE(values); i++)
			assert_ptr_equal(u64_map_find(&m, i << shifts[s]), &values[i]);
		assert_null(u64_map_find(&m, 5000ULL << shifts[s]));
	}
}

static void a_second_value_replaces_the_first(void **state)
{
	_cleanup_(u64_map_done) struct u64_map m = { 0 };

	(void)state;
	u64_map_put(&m, 7, &values[0]);
	u64_map_put(&m, 7, &values[1]);
	assert_ptr_equal(u64_map_find(&m, 7), &values[1]);
	assert_int_equal(m.n, 1);
}

static void add_key(void *arg, uint64_t key, void *value)
{
	assert_ptr_equal(value, &values[key]);
	*(uint64_t *)arg += key;
}

static void each_entry_is_visited_once(void **state)
{
	_cleanup_(u64_map_done) struct u64_map m = { 0 };
	uint64_t sum = 0;

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		u64_map_put(&m, i, &values[i]);
	u64_map_for_each(&m, add_key, &sum);
	assert_int_equal(sum, 5050);
}

static void what_was_removed_is_gone_and_the_rest_stays(void **state)
{
	_cleanup_(u64_map_done) struct u64_map m = { 0 };

	(void)state;
	assert_null(u64_map_remove(&m, 7));
	for (uint64_t i = 1; i <= 100; i++)
		u64_map_put(&m, i, &values[i]);
	for (uint64_t i = 1; i <= 100; i += 2)
		assert_ptr_equal(u64_map_remove(&m, i), &values[i]);
	assert_null(u64_map_remove(&m, 1));
	assert_int_equal(m.n, 50);
	for (uint64_t i = 1; i <= 100; i++)
		assert_ptr_equal(u64_map_find(&m, i), i % 2 ? NULL : &values[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_holds_nothing),
		cmocka_unit_test(what_was_put_is_found_as_it_grows),
		cmocka_unit_test(a_second_value_replaces_the_first),
		cmocka_unit_test(each_entry_is_visited_once),
		cmocka_unit_test(what_was_removed_is_gone_and_the_rest_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
