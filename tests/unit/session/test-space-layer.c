/* SPDX-License-Identifier: MIT */
/* Slots in leaves. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/space-layer.h"

#define PAGES 4096

/* Puts one slot over pages [@start, @end), and keeps the rest of the others beside it. */
static void put(struct space_layer *l, uint64_t start, uint64_t end, uintptr_t version)
{
	struct space_range r = space_layer_range(l, start, end);
	_cleanup_(freep) struct space_slot *covered = xcalloc(r.n + 1, sizeof(*covered));
	struct space_slot with[3];
	size_t n = 0;

	space_layer_copy(l, &r, covered);
	if (r.n && covered[0].start < start)
		with[n++] = (struct space_slot){ covered[0].start, start, covered[0].version };
	with[n++] = (struct space_slot){ start, end, (const void *)version };
	if (r.n && covered[r.n - 1].end > end)
		with[n++] = (struct space_slot){ end, covered[r.n - 1].end,
						 covered[r.n - 1].version };
	space_layer_replace(l, &r, with, n);
}

/*
 * Returns the version at @addr, or 0. In that case nothing may lie in the gap that is returned
 * instead.
 */
static uintptr_t at(const struct space_layer *l, uint64_t addr)
{
	struct space_slot gap;
	const struct space_slot *slot = space_layer_find(l, addr, &gap);

	if (slot)
		return (uintptr_t)slot->version;
	assert_true(gap.start <= addr && addr < gap.end);
	assert_int_equal(space_layer_range(l, gap.start, gap.end).n, 0);
	return 0;
}

/*
 * Checks that slots are in order, that the leaves have the right ends, and that no leaf is empty or
 * too large.
 */
static void check_shape(const struct space_layer *l)
{
	uint64_t end = 0;
	size_t n = 0;

	for (size_t k = 0; k < l->n_leaves; k++) {
		const struct space_leaf *leaf = &l->leaves[k];

		assert_in_range(leaf->n, 1, 128);
		for (size_t i = 0; i < leaf->n; i++) {
			assert_true(leaf->slots[i].start >= end);
			assert_true(leaf->slots[i].end > leaf->slots[i].start);
			end = leaf->slots[i].end;
		}
		assert_int_equal(leaf->end, end);
		n += leaf->n;
	}
	assert_int_equal(l->n, n);
}

static void any_ranges_are_as_in_an_array_of_pages(void **state)
{
	static uintptr_t pages[PAGES];
	_cleanup_(space_layer_done) struct space_layer l = { 0 };

	(void)state;
	srand(3);
	for (uintptr_t i = 1; i <= 20000; i++) {
		uint64_t start = (uint64_t)rand() % PAGES;
		/* Most ranges are small, so that there are many; some remove whole leaves. */
		uint64_t size = 1 + (uint64_t)rand() % (i % 500 ? 3 : 2000);
		uint64_t end = start + size > PAGES ? PAGES : start + size;

		put(&l, start, end, i);
		for (uint64_t p = start; p < end; p++)
			pages[p] = i;
		if (i % 1000)
			continue;
		check_shape(&l);
		for (uint64_t p = 0; p < PAGES; p++)
			assert_int_equal(at(&l, p), pages[p]);
	}
	assert_true(l.n_leaves > 8);
	put(&l, 0, PAGES, 7);
	check_shape(&l);
	assert_int_equal(l.n, 1);
}

static void what_is_added_in_order_fills_its_leaves(void **state)
{
	_cleanup_(space_layer_done) struct space_layer l = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 12800; i++)
		put(&l, 2 * i, 2 * i + 1, 1);
	check_shape(&l);
	assert_int_equal(l.n_leaves, 100);
}

static void nothing_is_found_in_an_empty_one(void **state)
{
	const struct space_layer l = { 0 };
	struct space_range r = space_layer_range(&l, 0, UINT64_MAX);

	(void)state;
	assert_int_equal(space_layer_leaf(&l, 5), 0);
	assert_int_equal(r.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_ranges_are_as_in_an_array_of_pages),
		cmocka_unit_test(what_is_added_in_order_fills_its_leaves),
		cmocka_unit_test(nothing_is_found_in_an_empty_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
