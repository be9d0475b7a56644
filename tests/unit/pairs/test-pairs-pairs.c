/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pairs/pairs.h"

static void put(struct open_pairs *o, uint64_t a, uint64_t b, uint64_t time)
{
	open_pairs_put(o, &(struct open_pair){ .keys = { a, b }, .begin_ns = time });
}

static struct open_pair *find(const struct open_pairs *o, uint64_t a, uint64_t b)
{
	return open_pairs_find(o, (const uint64_t[PAIR_KEYS_MAX]){ a, b });
}

static void what_was_put_is_found_by_all_of_its_keys(void **state)
{
	struct open_pairs o;

	(void)state;
	open_pairs_init(&o, 2);
	put(&o, 1, 2, 100);
	assert_int_equal(find(&o, 1, 2)->begin_ns, 100);
	assert_null(find(&o, 1, 3));
	assert_null(find(&o, 2, 1));
	open_pairs_done(&o);
}

static void keys_behind_those_that_choose_are_only_kept(void **state)
{
	struct open_pairs o;

	(void)state;
	open_pairs_init(&o, 1);
	put(&o, 1, 2, 100);
	assert_int_equal(find(&o, 1, 9)->keys[1], 2);
	open_pairs_done(&o);
}

static void putting_again_replaces(void **state)
{
	struct open_pairs o;

	(void)state;
	open_pairs_init(&o, 1);
	assert_false(open_pairs_put(&o, &(struct open_pair){ .keys = { 1 }, .begin_ns = 1 }));
	assert_true(open_pairs_put(&o, &(struct open_pair){ .keys = { 1 }, .begin_ns = 2 }));
	assert_int_equal(o.n, 1);
	assert_int_equal(find(&o, 1, 0)->begin_ns, 2);
	open_pairs_done(&o);
}

/* Compares chains of colliding entries, cut at every place, with an array of the correct values. */
static void removing_hides_no_other_entry(void **state)
{
	enum {
		KEYS = 97,
		STEPS = 40000
	};
	uint64_t truth[KEYS] = { 0 }, random = 1;
	struct open_pairs o;
	size_t n = 0;

	(void)state;
	open_pairs_init(&o, 2);
	for (uint64_t step = 1; step <= STEPS; step++) {
		uint64_t key = (random = random * 6364136223846793005u + 1) >> 33;
		size_t k = key % KEYS;
		struct open_pair *p = find(&o, k, k * 7);

		assert_int_equal(p ? p->begin_ns : 0, truth[k]);
		if (p && (key & 256)) {
			open_pairs_remove(&o, p);
			n--, truth[k] = 0;
		} else {
			put(&o, k, k * 7, step);
			n += !truth[k], truth[k] = step;
		}
		assert_int_equal(o.n, n);
	}
	open_pairs_done(&o);
}

static void the_room_is_that_of_the_open_ones(void **state)
{
	struct open_pairs o;

	(void)state;
	open_pairs_init(&o, 1);
	for (uint64_t i = 0; i < 100000; i++) {
		put(&o, i, 0, i);
		if (i >= 10)
			open_pairs_remove(&o, find(&o, i - 10, 0));
	}
	assert_int_equal(o.n, 10);
	assert_int_equal(o.room, 64);
	open_pairs_done(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found_by_all_of_its_keys),
		cmocka_unit_test(keys_behind_those_that_choose_are_only_kept),
		cmocka_unit_test(putting_again_replaces),
		cmocka_unit_test(removing_hides_no_other_entry),
		cmocka_unit_test(the_room_is_that_of_the_open_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
