/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "profile/record-stats.h"

static void lost(struct recording *rec, uint64_t id, uint64_t n, uint64_t time)
{
	add(rec,
	    (struct record){ .header.type = PERF_RECORD_LOST_SAMPLES,
			     .lost = { .lost = n },
			     .id = { .id = id } },
	    time);
}

static void assert_stats(const struct record_stats *st, size_t index, uint64_t samples,
			 uint64_t lost_samples)
{
	struct event_stats e = record_stats_of(st, index);

	assert_int_equal(e.samples, samples);
	assert_int_equal(e.lost_samples, lost_samples);
}

static void samples_and_losses_are_told_apart_by_event(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(record_stats_freep) struct record_stats *st = NULL;

	sampled(&rec, 1, 5, 10);
	sampled(&rec, 2, 5, 11);
	sampled(&rec, 2, 5, 12);
	sampled(&rec, 99, 5, 13);
	lost(&rec, 2, 7, 14);
	lost(&rec, 2, 9, 15);
	s = opened(&rec, false);
	st = record_stats_new(s);
	assert_int_equal(record_stats_gather(st, NULL), 0);
	assert_stats(st, 0, 1, 0);
	assert_stats(st, 1, 2, 16);
	assert_int_equal(session_counts(s)->records[PERF_RECORD_SAMPLE], 4);
}

static void what_never_occurred_is_zero(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(record_stats_freep) struct record_stats *st = NULL;

	comm(&rec, 5, 5, "x", 1);
	s = opened(&rec, false);
	st = record_stats_new(s);
	assert_int_equal(record_stats_gather(st, NULL), 0);
	assert_stats(st, 0, 0, 0);
	assert_stats(st, 1, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_and_losses_are_told_apart_by_event),
		cmocka_unit_test(what_never_occurred_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
