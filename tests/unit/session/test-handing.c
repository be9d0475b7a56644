/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/memory.h"
#include "session/deliver.h"
#include "session/handing.h"
#include "skip.h"

#define ROOM 4

struct taken {
	uint64_t times[64];
	size_t n;
	int result;
};

static int take(void *arg, const struct delivered *items, size_t n)
{
	struct taken *t = arg;

	for (size_t i = 0; i < n; i++)
		t->times[t->n++] = items[i].time;
	return t->result;
}

static void give(struct handing *h, struct delivered **batch, uint64_t first, int result)
{
	for (uint64_t i = 0; i < ROOM; i++)
		(*batch)[i] = (struct delivered){ .time = first + i };
	assert_int_equal(handing_give(h, batch, ROOM), result);
}

static void check_order(bool apart)
{
	struct taken t = { 0 };
	const struct session_sink sink = { .batch = take, .arg = &t };
	struct delivered *batch = xcalloc(ROOM, sizeof(*batch));
	struct handing h;

	handing_init(&h, &sink, apart, ROOM);
	for (uint64_t i = 0; i < 10; i++)
		give(&h, &batch, i * ROOM, 0);
	assert_int_equal(handing_wait(&h), 0);
	assert_int_equal(t.n, 40);
	for (uint64_t i = 0; i < 40; i++)
		assert_int_equal(t.times[i], i);
	handing_done(&h);
	free(batch);
}

static void batches_come_in_order(void **state)
{
	(void)state;
	check_order(false);
	check_order(true);
}

static void who_stops_gets_no_more(void **state)
{
	struct taken t = { .result = 3 };
	const struct session_sink sink = { .batch = take, .arg = &t };
	struct delivered *batch = xcalloc(ROOM, sizeof(*batch));
	struct handing h;

	(void)state;
	handing_init(&h, &sink, true, ROOM);
	if (!h.relay)
		skip_because("only one CPU");
	give(&h, &batch, 0, 0);
	assert_int_equal(handing_wait(&h), 3);
	give(&h, &batch, 4, 3);
	assert_int_equal(t.n, ROOM);
	handing_done(&h);
	free(batch);
}

static void memory_is_free_once_its_batch_was_taken(void **state)
{
	struct taken t = { 0 };
	const struct session_sink sink = { .batch = take, .arg = &t };
	struct delivered *batch = xcalloc(ROOM, sizeof(*batch));
	struct handing at_once, apart;

	(void)state;
	handing_init(&at_once, &sink, false, ROOM);
	assert_int_equal(handing_pass(&at_once, 100), 100);
	handing_done(&at_once);
	handing_init(&apart, &sink, true, ROOM);
	if (!apart.relay)
		skip_because("only one CPU");
	assert_int_equal(handing_pass(&apart, 50), 0);
	give(&apart, &batch, 0, 0);
	assert_int_equal(handing_wait(&apart), 0);
	assert_int_equal(handing_pass(&apart, 100), 100);
	give(&apart, &batch, 4, 0);
	assert_in_range(handing_pass(&apart, 250), 100, 250);
	assert_int_equal(handing_wait(&apart), 0);
	assert_int_equal(handing_pass(&apart, 250), 250);
	handing_done(&apart);
	free(batch);
}

static int take_slice(void *arg, unsigned worker, unsigned slot, const struct delivered *items,
		      size_t n)
{
	struct taken *slots = arg;

	assert_in_range(worker, 0, 1);
	slots[slot].n = 0;
	return take(&slots[slot], items, n);
}

/* Adds a slot that has ended to the last of the slots, which collects them. */
static int end_slice(void *arg, unsigned slot)
{
	struct taken *slots = arg, *all = &slots[HANDING_DEPTH];

	for (size_t i = 0; i < slots[slot].n; i++)
		all->times[all->n++] = slots[slot].times[i];
	return 0;
}

static void slices_end_in_order(void **state)
{
	struct taken slots[HANDING_DEPTH + 1] = { 0 }, *all = &slots[HANDING_DEPTH];
	const struct session_sink sink = { .batch = take,
					   .slice = take_slice,
					   .slice_end = end_slice,
					   .n_workers = 2,
					   .arg = slots };
	struct delivered *batch = xcalloc(ROOM, sizeof(*batch));
	struct handing h;

	(void)state;
	handing_init(&h, &sink, true, ROOM);
	if (!h.relay)
		skip_because("only one CPU");
	for (uint64_t i = 0; i < 15; i++)
		give(&h, &batch, i * ROOM, 0);
	assert_int_equal(handing_wait(&h), 0);
	assert_int_equal(all->n, 60);
	for (uint64_t i = 0; i < 60; i++)
		assert_int_equal(all->times[i], i);
	handing_done(&h);
	free(batch);
}

static void nobody_may_want_batches(void **state)
{
	struct delivered item = { 0 }, *batch = &item;
	struct handing h;

	(void)state;
	handing_init(&h, NULL, true, ROOM);
	assert_int_equal(handing_give(&h, &batch, 1), 0);
	assert_int_equal(handing_wait(&h), 0);
	handing_done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_come_in_order),
		cmocka_unit_test(who_stops_gets_no_more),
		cmocka_unit_test(memory_is_free_once_its_batch_was_taken),
		cmocka_unit_test(slices_end_in_order),
		cmocka_unit_test(nobody_may_want_batches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
