/* SPDX-License-Identifier: MIT */
#include "example-page.h"

#include <stdio.h>

#include "profile/page/fit.h"
#include "profile/page/pack.h"

#define ROUNDS 400

/* Returns numbers without a pattern, so that nothing packs well. */
static uint32_t next_number(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void fill(struct page *p)
{
	struct page_tree t;
	uint32_t seed = 1;

	example_page_init(p, 1000);
	page_tree_init(&t, p);
	for (int i = 0; i < ROUNDS * 100; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "main;f%u;g%u;h%u", next_number(&seed) % 8,
			 next_number(&seed) % 64, next_number(&seed) % 512);
		example_page_cell(p, next_number(&seed) % 1000, next_number(&seed) % 20000,
				  example_page_stack(&t, stack));
	}
	page_tree_done(&t);
	page_cells_merge(p);
}

static uint64_t all_samples(const struct page *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->cells.n; i++)
		n += p->cells.items[i].samples;
	return n;
}

/* Returns the samples of the function @name, wherever it is innermost. */
static uint64_t self_samples(const struct page *p, const char *name)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->cells.n; i++)
		if (!strcmp(p->names.items[p->nodes.items[p->cells.items[i].node].name], name))
			n += p->cells.items[i].samples;
	return n;
}

static void with_room_enough_nothing_is_left_out(void **state)
{
	_cleanup_(page_done) struct page p;

	(void)state;
	fill(&p);
	page_fit(&p, SIZE_MAX);
	assert_null(p.dropped);
	assert_int_equal(p.bin_ns, 1000000);
	assert_int_equal(all_samples(&p), ROUNDS * 100);
	assert_true(p.packed.n > 0 && p.columns.n > 0);
}

static void a_page_becomes_as_small_as_it_must(void **state)
{
	_cleanup_(page_done) struct page p;
	const size_t limit = 60000;
	uint64_t before;

	(void)state;
	fill(&p);
	before = self_samples(&p, "h7");
	page_fit(&p, limit);
	assert_true(p.packed.n < limit);
	assert_non_null(p.dropped);
	assert_non_null(strstr(p.dropped, "times are exact to"));
	assert_non_null(strstr(p.dropped, "callers with less than"));
	assert_int_equal(all_samples(&p), ROUNDS * 100);
	assert_int_equal(self_samples(&p, "h7"), before);
}

static void what_cannot_be_made_smaller_is_written_nevertheless(void **state)
{
	_cleanup_(page_done) struct page p;

	(void)state;
	fill(&p);
	page_fit(&p, 10);
	assert_int_equal(all_samples(&p), ROUNDS * 100);
	assert_int_equal(p.n_bins, 1);
}

/* Adds three stacks, in one order or the other. */
static void add_either_way(struct page *p, bool backwards)
{
	static const char *const stacks[] = { "main;b", "main;a;c", "start" };
	struct page_tree t;

	example_page_init(p, 1);
	page_tree_init(&t, p);
	for (size_t i = 0; i < 3; i++)
		example_page_cell(p, 0, 0, example_page_stack(&t, stacks[backwards ? 2 - i : i]));
	page_tree_done(&t);
	page_cells_merge(p);
}

static void the_order_in_which_samples_came_makes_no_difference(void **state)
{
	_cleanup_(page_done) struct page a, b;

	(void)state;
	add_either_way(&a, false);
	add_either_way(&b, true);
	page_fit(&a, SIZE_MAX);
	page_fit(&b, SIZE_MAX);
	assert_int_equal(a.packed.n, b.packed.n);
	assert_memory_equal(a.packed.data, b.packed.data, a.packed.n);
	assert_int_equal(a.names.n, 5);
	for (size_t i = 0; i < a.names.n; i++)
		assert_string_equal(a.names.items[i], b.names.items[i]);
}

static void large_recordings_have_large_pages(void **state)
{
	(void)state;
	assert_int_equal(page_size_limit(0), 1500000);
	assert_true(page_size_limit(100000000) < 2000000);
	assert_true(page_size_limit(1000000000) < 15000000);
	assert_true(page_size_limit(1000000000) > 10000000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_room_enough_nothing_is_left_out),
		cmocka_unit_test(a_page_becomes_as_small_as_it_must),
		cmocka_unit_test(what_cannot_be_made_smaller_is_written_nevertheless),
		cmocka_unit_test(the_order_in_which_samples_came_makes_no_difference),
		cmocka_unit_test(large_recordings_have_large_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
