/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/report/thread-counts-model.h"

#define ENTRY (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/* Adds a READ record: pid, tid, value, id; then the trailer. */
static void ended(struct recording *rec, uint32_t tid, uint64_t value, uint64_t id, uint64_t time)
{
	struct bytes *b = &rec->records;

	bytes_u32(b, PERF_RECORD_READ);
	bytes_u16(b, 0);
	bytes_u16(b, 8 + 8 + 16 + 24);
	bytes_u32(b, 1);
	bytes_u32(b, tid);
	bytes_u64(b, value);
	bytes_u64(b, id);
	bytes_u32(b, 1);
	bytes_u32(b, tid);
	bytes_u64(b, time);
	bytes_u64(b, id);
}

static struct recording recording_with_reads(void)
{
	struct recording rec = recording_of(ENTRY);

	rec.attr.read_format = PERF_FORMAT_ID;
	return rec;
}

static struct session *scanned(struct recording *rec)
{
	struct session *s = opened(rec, false);

	assert_int_equal(session_scan(s, NULL), 0);
	return s;
}

static void counts_of_a_thread_and_event_are_summed_up(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_with_reads();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(thread_counts_freep) struct thread_counts *t = NULL;

	ended(&rec, 7, 100, 2, 10);
	ended(&rec, 7, 5, 1, 11);
	ended(&rec, 7, 20, 2, 12);
	ended(&rec, 8, 3, 1, 13);
	s = scanned(&rec);
	t = thread_counts_new(s);
	assert_int_equal(t->rows.n, 2);
	assert_int_equal(t->columns.n, 2);
	assert_string_equal(t->columns.items[0]->name, "task-clock");
	assert_int_equal(t->rows.items[0].tid, 7);
	assert_int_equal(thread_counts_value(t, 0, 0), 120);
	assert_int_equal(thread_counts_value(t, 0, 1), 5);
	assert_int_equal(thread_counts_value(t, 1, 0), 0);
	assert_int_equal(thread_counts_value(t, 1, 1), 3);
}

static void threads_come_in_the_order_of_time(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_with_reads();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(thread_counts_freep) struct thread_counts *t = NULL;

	ended(&rec, 8, 1, 1, 20);
	ended(&rec, 7, 1, 2, 10);
	s = scanned(&rec);
	t = thread_counts_new(s);
	assert_int_equal(t->rows.items[0].tid, 7);
	assert_int_equal(t->rows.items[1].tid, 8);
	assert_string_equal(t->columns.items[0]->name, "task-clock");
}

static void counts_of_an_unknown_event_are_nobodys(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_with_reads();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(thread_counts_freep) struct thread_counts *t = NULL;

	ended(&rec, 8, 1, 99, 20);
	s = scanned(&rec);
	t = thread_counts_new(s);
	assert_int_equal(t->rows.n, 0);
	assert_int_equal(t->columns.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_a_thread_and_event_are_summed_up),
		cmocka_unit_test(threads_come_in_the_order_of_time),
		cmocka_unit_test(counts_of_an_unknown_event_are_nobodys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
