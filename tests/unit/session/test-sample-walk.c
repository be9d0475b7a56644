/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/events.h"
#include "session/sample-walk.h"

static struct session_event first = { .index = 0 }, second = { .index = 1 };

/* Sets up two events with the layout of @rec, and the ids 1 and 2. */
static void events_init(struct events *ev, const struct recording *rec)
{
	static struct session_event *items[2] = { &first, &second };

	for (size_t i = 0; i < 2; i++) {
		items[i]->attr = rec->attr;
		items[i]->time_offset = sample_time_offset(&rec->attr);
		items[i]->id_offset = sample_id_offset(&rec->attr);
		u64_map_put(&ev->by_id, i + 1, items[i]);
	}
	ev->items = items;
	ev->n = 2;
}

static struct sample_walk walk_over(const struct events *ev, const struct recording *rec)
{
	return (struct sample_walk){ .events = ev,
				     .bytes = rec->records.data,
				     .size = rec->records.n,
				     .offset = 0x1000,
				     .position = 0x5000 };
}

static void samples_come_with_their_events_and_times(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct sample_counts counts = { 0 };
	struct delivered items[4];
	struct events ev = { 0 };

	(void)state;
	events_init(&ev, &rec);
	comm(&rec, 7, 7, "a", 1);
	sampled(&rec, 1, 7, 30);
	comm(&rec, 7, 7, "b", 2);
	sampled(&rec, 2, 7, 10);
	sampled(&rec, 3, 7, 20);

	struct sample_walk w = walk_over(&ev, &rec);

	assert_int_equal(sample_walk_next(&w, items, 2, &counts), 2);
	assert_ptr_equal(items[0].event, &first);
	assert_int_equal(items[0].time, 30);
	assert_ptr_equal(items[1].event, &second);
	assert_int_equal(items[1].raw.offset - 0x1000, items[1].raw.bytes - rec.records.data);
	assert_int_equal(items[1].raw.position, items[1].raw.offset + 0x4000);
	assert_int_equal(sample_walk_next(&w, items, 2, &counts), 1);
	assert_null(items[0].event);
	assert_int_equal(sample_walk_next(&w, items, 2, &counts), 0);
	assert_int_equal(counts.samples, 3);
	assert_int_equal(counts.unknown_ids, 1);
	assert_int_equal(counts.first_time, 10);
	assert_int_equal(counts.last_time, 30);
	u64_map_done(&ev.by_id);
}

static void a_sample_shorter_than_its_layout_is_counted_and_nobodys(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct sample_counts counts = { 0 };
	struct delivered items[4];
	struct events ev = { 0 };

	(void)state;
	events_init(&ev, &rec);
	bytes_u32(&rec.records, PERF_RECORD_SAMPLE);
	bytes_u16(&rec.records, 0);
	bytes_u16(&rec.records, 16);
	bytes_u64(&rec.records, 1);

	struct sample_walk w = walk_over(&ev, &rec);

	assert_int_equal(sample_walk_next(&w, items, 4, &counts), 1);
	assert_null(items[0].event);
	assert_int_equal(items[0].time, 0);
	assert_int_equal(counts.malformed, 1);
	assert_int_equal(counts.samples, 0);
	u64_map_done(&ev.by_id);
}

static void zeros_are_the_end(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct sample_counts counts = { 0 };
	struct delivered items[4];
	struct events ev = { 0 };

	(void)state;
	events_init(&ev, &rec);
	sampled(&rec, 1, 7, 30);
	bytes_zero(&rec.records, 64);

	struct sample_walk w = walk_over(&ev, &rec);

	assert_int_equal(sample_walk_next(&w, items, 4, &counts), 1);
	assert_int_equal(sample_walk_next(&w, items, 4, &counts), 0);
	u64_map_done(&ev.by_id);
}

static void counts_add_up(void **state)
{
	struct session_counts to = { .samples = 1, .first_time = 20, .last_time = 40 };
	struct sample_counts none = { 0 };
	struct sample_counts more = { .samples = 2, .first_time = 10, .last_time = 30 };

	(void)state;
	sample_counts_merge(&none, &to);
	assert_int_equal(to.first_time, 20);
	sample_counts_merge(&more, &to);
	assert_int_equal(to.samples, 3);
	assert_int_equal(to.first_time, 10);
	assert_int_equal(to.last_time, 40);
}

static void a_sum_has_no_time(void **state)
{
	struct sample_counts c = { 0 };

	(void)state;
	sample_counts_add(&c, true, true, 20);
	sample_counts_add(&c, true, true, SAMPLE_TIME_SUM);
	assert_int_equal(c.samples, 2);
	assert_int_equal(c.first_time, 20);
	assert_int_equal(c.last_time, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_with_their_events_and_times),
		cmocka_unit_test(a_sample_shorter_than_its_layout_is_counted_and_nobodys),
		cmocka_unit_test(zeros_are_the_end),
		cmocka_unit_test(counts_add_up),
		cmocka_unit_test(a_sum_has_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
