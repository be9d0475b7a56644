/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/shared-sort.h"
#include "base/workers.h"

struct item {
	uint32_t key, place;
};

static int by_key(const void *va, const void *vb, void *arg)
{
	const struct item *a = va, *b = vb;

	(void)arg;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* Checks that equal keys, of which there are many, keep their order. */
static void check(struct workers *w, size_t n, uint32_t keys)
{
	_cleanup_(freep) struct item *items = xcalloc(n + 1, sizeof(*items));
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		items[i] = (struct item){ (state >> 8) % keys, (uint32_t)i };
	}
	shared_sort(w, items, n, sizeof(*items), by_key, NULL);
	for (size_t i = 1; i < n; i++)
		assert_true(
			items[i - 1].key < items[i].key ||
			(items[i - 1].key == items[i].key && items[i - 1].place < items[i].place));
}

static void many_items_are_sorted_by_several_threads(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 7; n++) {
		_cleanup_(workers_freep) struct workers *w = workers_new(n, n);

		check(w, SHARED_SORT_MIN + 1, 1000);
		check(w, 3 * SHARED_SORT_MIN + 12345, 1u << 31);
		check(w, 2 * SHARED_SORT_MIN, 1);
	}
}

static void few_items_are_sorted_by_the_caller(void **state)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(3, 3);

	(void)state;
	check(w, 0, 10);
	check(w, 1, 10);
	check(w, 1000, 10);
	check(NULL, SHARED_SORT_MIN + 1, 1000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_items_are_sorted_by_several_threads),
		cmocka_unit_test(few_items_are_sorted_by_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
