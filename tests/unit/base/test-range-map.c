/* SPDX-License-Identifier: MIT */
/* Finds the range that a number is in. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/range-map.h"

#define NOTHING UINT32_MAX

static uint32_t value_at(const struct range_map *m, uint64_t at)
{
	const struct range *r = range_map_find(m, at);

	return r ? r->value : NOTHING;
}

static void an_empty_map_has_nothing(void **state)
{
	struct range_map m = { 0 };

	(void)state;
	range_map_settle(&m);
	assert_null(range_map_find(&m, 0));
	range_map_done(&m);
}

static void the_end_is_exclusive(void **state)
{
	struct range_map m = { 0 };

	(void)state;
	range_map_add(&m, 20, 30, 1, 2);
	range_map_add(&m, 10, 20, 1, 1);
	range_map_settle(&m);
	assert_int_equal(value_at(&m, 9), NOTHING);
	assert_int_equal(value_at(&m, 10), 1);
	assert_int_equal(value_at(&m, 19), 1);
	assert_int_equal(value_at(&m, 20), 2);
	assert_int_equal(value_at(&m, 30), NOTHING);
	range_map_done(&m);
}

static void a_range_that_runs_backwards_is_not_added(void **state)
{
	struct range_map m = { 0 };

	(void)state;
	range_map_add(&m, 20, 10, 1, 1);
	range_map_add(&m, 5, 5, 1, 1);
	range_map_settle(&m);
	assert_int_equal(m.n, 0);
	range_map_done(&m);
}

static void the_higher_rank_covers_the_lower(void **state)
{
	struct range_map m = { 0 };

	(void)state;
	range_map_add(&m, 0, 100, 1, 1);
	range_map_add(&m, 20, 40, 2, 2);
	range_map_add(&m, 30, 35, 3, 3);
	range_map_settle(&m);
	assert_int_equal(value_at(&m, 19), 1);
	assert_int_equal(value_at(&m, 20), 2);
	assert_int_equal(value_at(&m, 30), 3);
	assert_int_equal(value_at(&m, 35), 2);
	assert_int_equal(value_at(&m, 40), 1);
	assert_int_equal(value_at(&m, 99), 1);
	assert_int_equal(m.n, 5);
	range_map_done(&m);
}

static void of_equal_ranks_the_first_wins(void **state)
{
	struct range_map m = { 0 };

	(void)state;
	range_map_add(&m, 10, 30, 1, 1);
	range_map_add(&m, 0, 20, 1, 2);
	range_map_settle(&m);
	assert_int_equal(value_at(&m, 5), 2);
	assert_int_equal(value_at(&m, 10), 1);
	assert_int_equal(value_at(&m, 29), 1);
	range_map_done(&m);
}

static void seeking_finds_what_lies_behind_a_gap(void **state)
{
	struct range_map m = { 0 };

	(void)state;
	range_map_add(&m, 10, 20, 1, 1);
	range_map_add(&m, 40, 50, 1, 2);
	range_map_settle(&m);
	assert_int_equal(range_map_seek(&m, 0), 0);
	assert_int_equal(range_map_seek(&m, 20), 1);
	assert_int_equal(range_map_seek(&m, 45), 1);
	assert_int_equal(range_map_seek(&m, 50), m.n);
	range_map_done(&m);
}

/* Compares with a slow search. Small numbers make many ranges overlap. */
static void any_overlap_is_settled_as_if_all_were_tried(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct range_map m = { 0 };
		struct range all[30];

		for (size_t i = 0; i < 30; i++) {
			seed = seed * 1103515245 + 12345;
			all[i] = (struct range){ .start = seed >> 8 & 63,
						 .end = seed >> 16 & 63,
						 .rank = seed >> 24 & 3 };
			range_map_add(&m, all[i].start, all[i].end, all[i].rank, (uint32_t)i);
		}
		range_map_settle(&m);
		for (uint64_t at = 0; at < 64; at++) {
			uint32_t best = NOTHING;

			for (uint32_t i = 0; i < 30; i++)
				if (at >= all[i].start && at < all[i].end &&
				    (best == NOTHING || all[i].rank > all[best].rank))
					best = i;
			assert_int_equal(value_at(&m, at), best);
		}
		range_map_done(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_has_nothing),
		cmocka_unit_test(the_end_is_exclusive),
		cmocka_unit_test(a_range_that_runs_backwards_is_not_added),
		cmocka_unit_test(the_higher_rank_covers_the_lower),
		cmocka_unit_test(of_equal_ranks_the_first_wins),
		cmocka_unit_test(seeking_finds_what_lies_behind_a_gap),
		cmocka_unit_test(any_overlap_is_settled_as_if_all_were_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
