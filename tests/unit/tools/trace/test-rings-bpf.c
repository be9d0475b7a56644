/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tools/trace/rings-bpf.h"

#define SIZE   (2 * TRACE_BLOCK)
#define STRIDE (sizeof(struct trace_ring) + SIZE + TRACE_RECORD_MAX)

/* Two rings that this test writes as BPF programs do. */
struct fixture {
	uint8_t *memory;
	struct trace_rings *rings;
	uint64_t times[64];
	unsigned cpus[64];
	size_t n;
};

static struct trace_ring *ring(struct fixture *f, unsigned cpu)
{
	return (void *)(f->memory + cpu * STRIDE);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->memory = calloc(2, STRIDE);
	f->rings = trace_rings_new(f->memory, 2, STRIDE, SIZE);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	trace_rings_free(f->rings);
	free(f->memory);
	free(f);
	return 0;
}

static void add(struct fixture *f, unsigned cpu, uint64_t time_ns, uint32_t size)
{
	struct trace_ring *r = ring(f, cpu);
	uint32_t left = TRACE_BLOCK - r->head % TRACE_BLOCK;

	if (left < size) {
		const struct trace_record pad = { .size = left, .kind = TRACE_PAD };

		memcpy(r->bytes + r->head % SIZE, &pad, 8);
		r->head += left;
	}
	const struct trace_record record = { .size = size, .kind = TRACE_LOST, .time_ns = time_ns };

	memcpy(r->bytes + r->head % SIZE, &record, sizeof(record));
	r->head += size;
}

static int take(void *arg, const struct trace_record *record, size_t size, unsigned cpu)
{
	struct fixture *f = arg;

	assert_int_equal(size, record->size);
	assert_true(f->n < 64);
	f->times[f->n] = record->time_ns;
	f->cpus[f->n++] = cpu;
	return 0;
}

static void read_all(struct fixture *f)
{
	f->n = 0;
	assert_int_equal(trace_rings_read(f->rings, UINT64_MAX, UINT64_MAX, take, f), 0);
}

static void rings_are_merged_by_time(void **state)
{
	struct fixture *f = *state;

	add(f, 0, 10, 32);
	add(f, 1, 20, 64);
	add(f, 1, 30, 32);
	add(f, 0, 40, 32);
	add(f, 0, 41, 32);
	read_all(f);
	assert_int_equal(f->n, 5);
	for (size_t i = 1; i < f->n; i++)
		assert_true(f->times[i - 1] < f->times[i]);
	assert_int_equal(f->cpus[1], 1);
	assert_int_equal(ring(f, 0)->tail, 96);
	assert_int_equal(ring(f, 1)->tail, 96);
	read_all(f);
	assert_int_equal(f->n, 0);
}

static void new_records_wait_for_older_ones(void **state)
{
	struct fixture *f = *state;
	const uint64_t second = 1000000000;

	add(f, 0, second, 32);
	add(f, 0, second + 4000000, 32);
	assert_int_equal(trace_rings_read(f->rings, second + 6000000, UINT64_MAX, take, f), 0);
	assert_int_equal(f->n, 1);
	add(f, 1, second + 3000000, 32);
	assert_int_equal(trace_rings_read(f->rings, second + 20000000, UINT64_MAX, take, f), 0);
	assert_int_equal(f->n, 3);
	assert_int_equal(f->cpus[1], 1);
}

static void reading_ends_before_a_time(void **state)
{
	struct fixture *f = *state;

	add(f, 0, 10, 32);
	add(f, 0, 20, 32);
	assert_int_equal(trace_rings_read(f->rings, UINT64_MAX, 20, take, f), 0);
	assert_int_equal(f->n, 1);
	read_all(f);
	assert_int_equal(f->n, 1);
	assert_int_equal(f->times[0], 20);
}

static void padding_is_passed_over(void **state)
{
	struct fixture *f = *state;

	for (uint64_t i = 0; i < 30; i++) {
		add(f, 0, i, 12000);
		read_all(f);
		assert_int_equal(f->n, 1);
		assert_int_equal(f->times[0], i);
	}
	assert_true(ring(f, 0)->head > 4 * TRACE_BLOCK);
	assert_int_equal(trace_rings_lost(f->rings), 0);
}

static void damage_is_counted_and_passed_over(void **state)
{
	static const uint32_t sizes[] = { 0, 12, 16, UINT32_MAX, 1 << 20 };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct trace_ring *r = ring(f, 0);
		uint64_t at = r->head % SIZE;

		add(f, 0, 10, 32);
		memcpy(r->bytes + at, &sizes[i], sizeof(sizes[i]));
		read_all(f);
		assert_int_equal(f->n, 0);
		assert_int_equal(trace_rings_lost(f->rings), i + 1);
		add(f, 0, 20, 32);
		read_all(f);
		assert_int_equal(f->n, 1);
	}
}

static void absurd_positions_are_passed_over(void **state)
{
	struct fixture *f = *state;

	ring(f, 1)->head = UINT64_MAX - 7;
	read_all(f);
	ring(f, 1)->head = 64;
	read_all(f);
	assert_int_equal(f->n, 0);
	assert_int_equal(trace_rings_lost(f->rings), 2);
}

static int stop(void *arg, const struct trace_record *record, size_t size, unsigned cpu)
{
	(void)arg, (void)record, (void)size, (void)cpu;
	return 5;
}

static void whoever_takes_may_stop(void **state)
{
	struct fixture *f = *state;

	add(f, 0, 10, 32);
	add(f, 0, 20, 32);
	assert_int_equal(trace_rings_read(f->rings, UINT64_MAX, UINT64_MAX, stop, NULL), 5);
	read_all(f);
	assert_int_equal(f->n, 1);
}

static void losses_are_summed_up(void **state)
{
	struct fixture *f = *state;

	ring(f, 0)->lost = 5;
	ring(f, 0)->lost_told = 3;
	ring(f, 1)->lost = 10;
	assert_int_equal(trace_rings_lost(f->rings), 15);
	assert_int_equal(trace_rings_lost_untold(f->rings), 12);
	ring(f, 0)->triggers = 1;
	ring(f, 1)->triggers = 2;
	assert_int_equal(trace_rings_triggers(f->rings), 3);
}

/* As with a flight recorder, records that were never read are overwritten. */
static void snapshots_have_the_newest_records(void **state)
{
	struct fixture *f = *state;

	for (uint64_t i = 0; i < 200; i++)
		add(f, 0, i, 8000);
	trace_rings_snapshot(f->rings);
	add(f, 0, 200, 8000);
	read_all(f);
	/* One of the two blocks may be in use by a writer; the other has eight records. */
	assert_true(f->n > 0 && f->n <= 8);
	assert_int_equal(f->times[f->n - 1], 199);
	assert_int_equal(trace_rings_lost(f->rings), 0);
	trace_rings_snapshot(f->rings);
	read_all(f);
	assert_int_equal(f->n, 1);
	assert_int_equal(f->times[0], 200);
}

static void snapshots_of_little_are_whole(void **state)
{
	struct fixture *f = *state;

	add(f, 0, 1, 32);
	add(f, 1, 2, 32);
	trace_rings_snapshot(f->rings);
	read_all(f);
	assert_int_equal(f->n, 2);
	trace_rings_snapshot(f->rings);
	read_all(f);
	assert_int_equal(f->n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rings_are_merged_by_time),
		TEST(new_records_wait_for_older_ones),
		TEST(reading_ends_before_a_time),
		TEST(padding_is_passed_over),
		TEST(damage_is_counted_and_passed_over),
		TEST(absurd_positions_are_passed_over),
		TEST(whoever_takes_may_stop),
		TEST(losses_are_summed_up),
		TEST(snapshots_have_the_newest_records),
		TEST(snapshots_of_little_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
