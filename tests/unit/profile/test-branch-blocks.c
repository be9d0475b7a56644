/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/branch-blocks.h"
#include "profile/frames.h"
#include "symbol/symbol.h"

static const struct symbol loop = { .start = 0x100, .end = 0x180, .name = "loop" };
static const struct symbol leaf = { .start = 0x200, .end = 0x220, .name = "leaf" };

/* Images are only compared, and none of them is read. */
static struct frame at(const struct symbol *sym, uint64_t offset)
{
	return (struct frame){ .image = (struct image *)&loop,
			       .sym = sym,
			       .addr = sym ? sym->start + offset : offset };
}

static void add(struct branch_blocks *b, struct frame start, struct frame end, unsigned cycles)
{
	branch_blocks_add(b, &start, &end, cycles);
}

static void a_block_begins_where_the_branch_before_went(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks b = { 0 };

	(void)state;
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 7);
	assert_int_equal(b.n, 1);
	assert_int_equal(b.items[0].start, 0x110);
	assert_int_equal(b.items[0].end, 0x118);
	assert_int_equal(b.items[0].cycles, 7);
}

static void the_longest_block_up_to_a_branch_stands_for_all(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks b = { 0 };

	(void)state;
	add(&b, at(&loop, 0x14), at(&loop, 0x18), 7);
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 9);
	add(&b, at(&leaf, 0), at(&loop, 0x18), 1);
	assert_int_equal(b.n, 1);
	assert_int_equal(b.items[0].start, 0x110);
	assert_int_equal(b.items[0].cycles, 17);
	assert_int_equal(b.items[0].count, 3);
	assert_int_equal(b.items[0].whole_cycles, 9);
	assert_int_equal(b.items[0].whole_count, 1);
	assert_int_equal(b.items[0].least, 1);
	assert_int_equal(b.items[0].most, 9);
}

static void where_it_began_may_not_be_known(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks b = { 0 };
	struct frame end = at(&loop, 0x18);

	(void)state;
	branch_blocks_add(&b, NULL, &end, 5);
	add(&b, at(&loop, 0x30), at(&loop, 0x20), 5);
	assert_int_equal(b.n, 2);
	assert_true(b.items[0].start == BLOCK_START_UNKNOWN);
	assert_true(b.items[1].start == BLOCK_START_UNKNOWN);
}

static void what_has_no_function_or_no_cycles_is_no_block(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks b = { 0 };

	(void)state;
	add(&b, at(&loop, 0), at(&loop, 0x18), 0);
	add(&b, at(NULL, 0), at(NULL, 0x18), 5);
	assert_int_equal(b.n, 0);
}

static void many_blocks_merge_and_are_sorted_by_cycles(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks a = { 0 }, b = { 0 };

	(void)state;
	for (unsigned i = 1; i <= 1000; i++) {
		add(&a, at(&loop, 0), at(&loop, i), i);
		add(&b, at(&loop, 0), at(&loop, i), 1001 - i + (i == 300));
	}
	branch_blocks_merge(&a, &b);
	branch_blocks_sort(&a);
	assert_int_equal(a.n, 1000);
	assert_int_equal(a.items[0].end, loop.start + 300);
	assert_int_equal(a.items[1].end, loop.start + 1);
	assert_int_equal(a.items[999].cycles, 1001);
}

static void it_is_known_how_much_cycles_vary(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks b = { 0 };

	(void)state;
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 1);
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 6);
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 65535);
	assert_int_equal(b.items[0].squares, 1 + 36 + 65535ULL * 65535);
	assert_int_equal(b.items[0].bins[0], 1);
	assert_int_equal(b.items[0].bins[2], 1);
	assert_int_equal(b.items[0].bins[BLOCK_BINS - 1], 1);
}

static void blocks_have_averages_and_shares(void **state)
{
	_cleanup_(branch_blocks_done) struct branch_blocks b = { 0 };
	struct branch_block_sums sums;

	(void)state;
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 4);
	add(&b, at(&loop, 0x10), at(&loop, 0x18), 8);
	add(&b, at(&loop, 0x10), at(&loop, 0x20), 4);
	sums = branch_blocks_sum(&b);
	assert_int_equal(branch_block_average(&b.items[0]), 6);
	assert_true(branch_block_deviation(&b.items[0]) > 47.1 &&
		    branch_block_deviation(&b.items[0]) < 47.2);
	assert_true(branch_block_deviation(&b.items[1]) == 0);
	assert_true(branch_block_shares(&b.items[0], &sums).cycles == 75);
	assert_true(branch_block_shares(&b.items[0], &sums).average == 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_begins_where_the_branch_before_went),
		cmocka_unit_test(the_longest_block_up_to_a_branch_stands_for_all),
		cmocka_unit_test(where_it_began_may_not_be_known),
		cmocka_unit_test(what_has_no_function_or_no_cycles_is_no_block),
		cmocka_unit_test(many_blocks_merge_and_are_sorted_by_cycles),
		cmocka_unit_test(it_is_known_how_much_cycles_vary),
		cmocka_unit_test(blocks_have_averages_and_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
