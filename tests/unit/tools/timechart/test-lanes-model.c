/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/timechart/lanes-model.h"

static struct lane_mark mark(uint8_t state)
{
	return (struct lane_mark){ .state = state, .by = LANE_NONE, .stack = LANE_NONE };
}

static void set(struct lanes *l, uint32_t lane, uint64_t time, uint8_t state)
{
	const struct lane_mark m = mark(state);

	lanes_set(l, lane, time, &m);
}

static void pieces_adjoin_and_add_up(void **state)
{
	struct lanes l;
	uint32_t lane;

	(void)state;
	lanes_init(&l, 100);
	lane = lanes_add(&l);
	set(&l, lane, 1000, 1);
	set(&l, lane, 1500, 2);
	set(&l, lane, 1700, 2); /* the same state continues */
	set(&l, lane, 2000, 1);
	lanes_finish(&l, 2600);
	assert_int_equal(l.items[lane].n, 3);
	assert_int_equal(l.items[lane].ns[1], 500 + 600);
	assert_int_equal(l.items[lane].ns[2], 500);
	assert_int_equal(lane_piece_end(&l.items[lane], 0), 1500);
	assert_int_equal(lane_piece_end(&l.items[lane], 2), 2600);
	lanes_done(&l);
}

static void a_piece_without_length_is_replaced(void **state)
{
	struct lanes l;
	uint32_t lane;

	(void)state;
	lanes_init(&l, 100);
	lane = lanes_add(&l);
	set(&l, lane, 1000, 1);
	set(&l, lane, 1000, 2);
	set(&l, lane, 900, 3); /* backwards */
	lanes_finish(&l, 1010);
	assert_int_equal(l.items[lane].n, 1);
	assert_int_equal(l.items[lane].ns[3], 10);
	lanes_done(&l);
}

static void a_lane_ends_where_nothing_follows(void **state)
{
	struct lanes l;
	uint32_t lane;

	(void)state;
	lanes_init(&l, 100);
	lane = lanes_add(&l);
	set(&l, lane, 10, 1);
	set(&l, lane, 20, LANE_NOTHING);
	lanes_finish(&l, 100);
	assert_int_equal(l.items[lane].n, 1);
	assert_int_equal(l.items[lane].end, 20);
	assert_int_equal(l.items[lane].ns[LANE_NOTHING], 0);
	lanes_done(&l);
}

static void a_piece_ends_where_the_next_begins(void **state)
{
	struct lanes l;
	uint32_t lane;

	(void)state;
	lanes_init(&l, 100);
	lane = lanes_add(&l);
	set(&l, lane, 10, 1);
	set(&l, lane, 20, 2);
	lanes_finish(&l, 30);
	assert_int_equal(lane_piece_end(&l.items[lane], 0), 20);
	assert_int_equal(lane_piece_end(&l.items[lane], 1), 30);
	lanes_done(&l);
}

/* Adds many pieces to few lanes, with known sums. */
static void fill(struct lanes *l, size_t n_lanes, size_t n)
{
	for (size_t i = 0; i < n_lanes; i++)
		lanes_add(l);
	for (size_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < n_lanes; i++)
			set(l, i, 1000 + k * 700 + i, (uint8_t)(1 + (k + i) % 5));
}

static uint64_t sum_of_pieces(const struct lanes *l, const struct lane *lane, uint8_t s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < lane->n; i++) {
		const struct lane_piece *p = &lane->items[i];

		if (p->fold != LANE_NONE)
			sum += l->folds.items[p->fold].ns[s];
		else if (p->mark.state == s)
			sum += lane_piece_end(lane, i) - p->start;
	}
	return sum;
}

static void folding_limits_pieces_and_keeps_sums(void **state)
{
	struct lanes l, exact;

	(void)state;
	lanes_init(&l, 1000);
	lanes_init(&exact, 1000000);
	fill(&l, 3, 50000);
	fill(&exact, 3, 50000);
	lanes_finish(&l, 40000000);
	lanes_finish(&exact, 40000000);
	assert_true(l.items[0].n + l.items[1].n + l.items[2].n <= 1000);
	assert_true(l.bin_ns > 0 && l.bin_ns < 2000000); /* bins are no wider than necessary */
	for (size_t i = 0; i < 3; i++)
		for (uint8_t s = 0; s < LANE_STATES; s++) {
			assert_int_equal(l.items[i].ns[s], exact.items[i].ns[s]);
			assert_int_equal(sum_of_pieces(&l, &l.items[i], s), exact.items[i].ns[s]);
		}
	lanes_done(&l);
	lanes_done(&exact);
}

static void long_pieces_stay_exact(void **state)
{
	struct lanes l;
	uint32_t busy, calm;

	(void)state;
	lanes_init(&l, 500);
	busy = lanes_add(&l);
	calm = lanes_add(&l);
	set(&l, calm, 5, 3);
	for (uint64_t t = 10; t < 2000000; t += 100)
		set(&l, busy, t, (uint8_t)(1 + t / 100 % 2));
	set(&l, calm, 1999999, 1);
	lanes_finish(&l, 2000000);
	assert_int_equal(l.items[calm].n, 2);
	assert_int_equal(l.items[calm].items[0].fold, LANE_NONE);
	lanes_done(&l);
}

static void more_lanes_than_pieces_are_kept(void **state)
{
	struct lanes l;

	(void)state;
	lanes_init(&l, 10);
	fill(&l, 1000, 3);
	lanes_finish(&l, 10000);
	for (size_t i = 0; i < 1000; i++)
		assert_true(l.items[i].n > 0);
	lanes_done(&l);
}

static void columns_have_the_exact_shares(void **state)
{
	double columns[4][LANE_STATES] = { 0 };
	struct lanes l;
	uint32_t lane;

	(void)state;
	lanes_init(&l, 100);
	lane = lanes_add(&l);
	set(&l, lane, 1000, 1);
	set(&l, lane, 1150, 2);
	lanes_finish(&l, 1300);
	lane_columns(&l, &l.items[lane], 1000, 1400, 4, columns);
	assert_true(columns[0][1] == 100 && columns[1][1] == 50 && columns[1][2] == 50);
	assert_true(columns[2][2] == 100 && columns[3][2] == 0);
	lanes_done(&l);
}

static void columns_cut_what_lies_outside(void **state)
{
	double columns[2][LANE_STATES] = { 0 };
	struct lanes l;
	uint32_t lane;

	(void)state;
	lanes_init(&l, 100);
	lane = lanes_add(&l);
	set(&l, lane, 0, 1);
	lanes_finish(&l, 1000);
	lane_columns(&l, &l.items[lane], 500, 600, 2, columns);
	assert_true(columns[0][1] == 50 && columns[1][1] == 50);
	lane_columns(&l, &l.items[lane], 500, 500, 2, columns); /* an empty span */
	lanes_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_adjoin_and_add_up),
		cmocka_unit_test(a_piece_without_length_is_replaced),
		cmocka_unit_test(a_lane_ends_where_nothing_follows),
		cmocka_unit_test(a_piece_ends_where_the_next_begins),
		cmocka_unit_test(folding_limits_pieces_and_keeps_sums),
		cmocka_unit_test(long_pieces_stay_exact),
		cmocka_unit_test(more_lanes_than_pieces_are_kept),
		cmocka_unit_test(columns_have_the_exact_shares),
		cmocka_unit_test(columns_cut_what_lies_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
