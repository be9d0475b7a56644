/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "base/cleanup.h"
#include "base/shared-map.h"

static int values[5000];

static void an_empty_map_holds_nothing(void **state)
{
	_cleanup_(shared_map_done) struct shared_map m = { 0 };

	(void)state;
	assert_null(shared_map_find(&m, 0));
	assert_null(shared_map_find(&m, UINT64_MAX));
}

static void what_was_put_is_found_as_it_grows(void **state)
{
	static const unsigned shifts[] = { 0, 12, 32, 50 };

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(shifts); s++) {
		_cleanup_(shared_map_done) struct shared_map m = { 0 };

		for (uint64_t i = 0; i < ARRAY_SIZE(values); i++)
			shared_map_put(&m, i << shifts[s], &values[i]);
		for (uint64_t i = 0; i < ARRAY_SIZE(values); i++)
			assert_ptr_equal(shared_map_find(&m, i << shifts[s]), &values[i]);
		assert_null(shared_map_find(&m, 5000ULL << shifts[s]));
	}
}

static void add_key(void *arg, uint64_t key, void *value)
{
	assert_ptr_equal(value, &values[key]);
	*(uint64_t *)arg += key;
}

static void each_entry_is_visited_once(void **state)
{
	_cleanup_(shared_map_done) struct shared_map m = { 0 };
	uint64_t sum = 0;

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		shared_map_put(&m, i, &values[i]);
	shared_map_for_each(&m, add_key, &sum);
	assert_int_equal(sum, 5050);
}

/* Counts the entries that are found under another key, until the last entry is there. */
static void *read_along(void *arg)
{
	struct shared_map *m = arg;
	uintptr_t wrong = 0;

	while (!shared_map_find(m, ARRAY_SIZE(values) - 1))
		for (uint64_t i = 0; i < ARRAY_SIZE(values); i += 7) {
			void *found = shared_map_find(m, i);

			wrong += found && found != &values[i];
		}
	return (void *)wrong;
}

static void others_may_read_while_one_adds(void **state)
{
	_cleanup_(shared_map_done) struct shared_map m = { 0 };
	pthread_t reader;
	void *wrong;

	(void)state;
	assert_int_equal(pthread_create(&reader, NULL, read_along, &m), 0);
	for (uint64_t i = 0; i < ARRAY_SIZE(values); i++)
		shared_map_put(&m, i, &values[i]);
	pthread_join(reader, &wrong);
	assert_null(wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_holds_nothing),
		cmocka_unit_test(what_was_put_is_found_as_it_grows),
		cmocka_unit_test(each_entry_is_visited_once),
		cmocka_unit_test(others_may_read_while_one_adds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
