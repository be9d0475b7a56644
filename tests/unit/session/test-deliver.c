/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>

#include "base/text.h"
#include "counted-progress.h"
#include "session/deliver.h"
#include "session/machine.h"

/* Writes down what comes: times of samples, 'm' and 'c' for maps and names, 'R' for rounds. */
struct log {
	struct session *s;
	struct text text;
	size_t batches;
	bool with_comm;
	int answer; /* of the next batch */
};

static void log_done(struct log *l)
{
	text_done(&l->text);
	session_free(l->s);
}

static int log_batch(void *arg, const struct delivered *items, size_t n)
{
	struct log *l = arg;

	assert_true(n > 0);
	l->batches++;
	for (size_t i = 0; i < n; i++) {
		uint32_t type = items[i].raw.header.type;

		text_add(&l->text, l->text.length ? " " : "");
		if (type == PERF_RECORD_SAMPLE)
			text_addf(&l->text, "%d", (int)items[i].time);
		else
			text_add_char(&l->text, type == PERF_RECORD_MMAP2 ? 'm' : 'c');
		if (type == PERF_RECORD_SAMPLE && l->with_comm)
			text_addf(&l->text, "%s", machine_comm(l->s, 7, 7, items[i].time));
	}
	return l->answer;
}

static int log_user(void *arg, const struct delivered *d)
{
	struct log *l = arg;

	text_add(&l->text, l->text.length ? " " : "");
	text_add_char(&l->text, d->raw.header.type == PERF_RECORD_FINISHED_ROUND ? 'R' : 'u');
	return 0;
}

static int read_all(struct log *l, bool user)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_sink sink = { .batch = log_batch, .user = user ? log_user : NULL, .arg = l };

	text_clear(&l->text);
	l->batches = 0;
	return session_deliver(l->s, &sink, &diag);
}

static void samples_come_in_order_of_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	sampled(&rec, 1, 7, 30);
	sampled(&rec, 2, 7, 40);
	sampled(&rec, 1, 7, 10);
	sampled(&rec, 1, 7, 20);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "10 20 30 40");
	assert_int_equal(session_counts(l.s)->samples, 4);
	assert_int_equal(session_counts(l.s)->first_time, 10);
	assert_int_equal(session_counts(l.s)->last_time, 40);
	assert_int_equal(session_counts(l.s)->out_of_order, 0);
}

static void rounds_are_gathered_unless_somebody_watches(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	for (int i = 0; i < 3; i++) {
		sampled(&rec, 1, 7, 10 * i + 10);
		round_ends(&rec);
	}
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "10 20 30");
	assert_int_equal(l.batches, 1);
	session_free(l.s);
	close(rec.fd);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, true), 0);
	assert_string_equal(l.text.chars, "R R 10 R 20 30");
}

static void what_comes_too_late_is_counted(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	sampled(&rec, 1, 7, 50);
	round_ends(&rec);
	round_ends(&rec);
	sampled(&rec, 1, 7, 20);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "50 20");
	assert_int_equal(session_counts(l.s)->out_of_order, 1);
}

static void records_without_a_time_come_at_once(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	sampled(&rec, 1, 7, 50);
	comm(&rec, 7, 7, "x", 0);
	sampled(&rec, 1, 7, UINT64_MAX);
	mmaps(&rec, 7, 0x1000, 0x1000, "/x", 20);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "c 0 m 50");
}

static void the_order_of_the_file_can_be_asked_for(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	sampled(&rec, 1, 7, 50);
	sampled(&rec, 1, 7, 40);
	comm(&rec, 7, 7, "x", 60);
	sampled(&rec, 1, 7, 30);
	l.s = opened(&rec, true);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "50 40 c 30");
}

static void names_are_those_of_the_time(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY, .with_comm = true };

	(void)state;
	sampled(&rec, 1, 7, 10);
	sampled(&rec, 1, 7, 30);
	comm(&rec, 7, 7, "b", 20);
	comm(&rec, 7, 7, "a", 0);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "c 10a c 30b");
	assert_int_equal(l.batches, 1);
}

/* Clocks may stand still: what comes later in the file at the same time is not known yet. */
static void of_equal_times_the_file_decides(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY, .with_comm = true };

	(void)state;
	sampled(&rec, 1, 7, 10);
	comm(&rec, 7, 7, "a", 10);
	sampled(&rec, 1, 7, 10);
	comm(&rec, 7, 7, "b", 10);
	sampled(&rec, 1, 7, 10);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "10:7 c 10a c 10b");
}

static void without_times_the_file_decides(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER |
								      PERF_SAMPLE_TID);
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY, .with_comm = true };

	(void)state;
	sampled(&rec, 1, 7, 0);
	comm(&rec, 7, 7, "a", 0);
	sampled(&rec, 1, 7, 0);
	comm(&rec, 7, 7, "b", 0);
	sampled(&rec, 1, 7, 0);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "0:7 c 0a c 0b");
}

static void after_a_scan_all_is_known(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY, .with_comm = true };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	sampled(&rec, 1, 7, 10);
	comm(&rec, 7, 7, "a", 5);
	round_ends(&rec);
	comm(&rec, 7, 7, "b", 20);
	round_ends(&rec);
	l.s = opened(&rec, false);
	assert_int_equal(session_scan(l.s, &diag), 0);
	assert_string_equal(machine_comm(l.s, 7, 7, 1), ":7");
	assert_string_equal(machine_comm(l.s, 7, 7, 19), "a");
	assert_string_equal(machine_comm(l.s, 7, 7, 20), "b");
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "c 10a c");
}

static void how_much_was_read_is_told(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	struct counted_progress told = COUNTED_PROGRESS;

	(void)state;
	sampled(&rec, 1, 7, 30);
	rec.progress = &told.progress;
	l.s = opened(&rec, false);
	assert_int_equal(told.updates, 0);
	assert_int_equal(read_all(&l, false), 0);
	assert_true(told.updates > 0);
	assert_true(told.total > 0);
	assert_int_equal(told.done, told.total);
	assert_int_equal(told.finishes, 1);
	assert_string_equal(told.title, "Reading the recording");
}

static void the_sink_may_stop(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY, .answer = -EPIPE };

	(void)state;
	sampled(&rec, 1, 7, 10);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), -EPIPE);
	session_free(l.s);
	close(rec.fd);
	l.answer = 1;
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
}

static int check_size(void *arg, const struct delivered *items, size_t n)
{
	uint64_t *next = arg;

	assert_true(n <= 16384);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(items[i].time, ++*next);
	return 0;
}

static void a_large_round_comes_in_pieces(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t seen = 0;

	(void)state;
	for (uint64_t i = 2; i <= 50000; i += 2)
		sampled(&rec, 1, 7, i);
	for (uint64_t i = 1; i <= 50000; i += 2)
		sampled(&rec, 2, 7, i);
	s = opened(&rec, false);
	assert_int_equal(
		session_deliver(s, &(struct session_sink){ .batch = check_size, .arg = &seen },
				&diag),
		0);
	assert_int_equal(seen, 50000);
}

static int check_event(void *arg, const struct delivered *items, size_t n)
{
	(void)arg;
	assert_int_equal(n, 3);
	assert_ptr_equal(items[0].event, session_event(*(struct session **)arg, 0));
	assert_ptr_equal(items[1].event, session_event(*(struct session **)arg, 1));
	assert_null(items[2].event);
	return 0;
}

static void ids_tell_the_event(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	sampled(&rec, 1, 7, 1);
	sampled(&rec, 2, 7, 2);
	sampled(&rec, 99, 7, 3);
	s = opened(&rec, false);
	assert_int_equal(session_deliver(s,
					 &(struct session_sink){ .batch = check_event, .arg = &s },
					 &diag),
			 0);
	assert_int_equal(session_counts(s)->unknown_ids, 1);
}

static void what_was_lost_is_added_up(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	struct record lost = { .header.type = PERF_RECORD_LOST, .lost = { .id = 1, .lost = 11 } };

	(void)state;
	add(&rec, lost, 5);
	lost.lost.lost = 32;
	add(&rec, lost, 6);
	lost.header.type = PERF_RECORD_LOST_SAMPLES;
	add(&rec, lost, 0);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_int_equal(session_counts(l.s)->lost_records, 2);
	assert_int_equal(session_counts(l.s)->lost_events, 43);
	assert_int_equal(session_counts(l.s)->lost_samples, 32);
	assert_int_equal(session_counts(l.s)->records[PERF_RECORD_LOST], 2);
}

/* Shorter than its layout: handed out for a dump, without a time or an event. */
static void a_record_that_is_too_short_is_counted(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	bytes_u32(&rec.records, PERF_RECORD_SAMPLE);
	bytes_u16(&rec.records, 0);
	bytes_u16(&rec.records, 16);
	bytes_u64(&rec.records, 1);
	sampled(&rec, 1, 7, 5);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "0 5");
	assert_int_equal(session_counts(l.s)->malformed, 1);
	assert_int_equal(session_counts(l.s)->samples, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_in_order_of_time),
		cmocka_unit_test(rounds_are_gathered_unless_somebody_watches),
		cmocka_unit_test(what_comes_too_late_is_counted),
		cmocka_unit_test(records_without_a_time_come_at_once),
		cmocka_unit_test(the_order_of_the_file_can_be_asked_for),
		cmocka_unit_test(names_are_those_of_the_time),
		cmocka_unit_test(of_equal_times_the_file_decides),
		cmocka_unit_test(without_times_the_file_decides),
		cmocka_unit_test(after_a_scan_all_is_known),
		cmocka_unit_test(how_much_was_read_is_told),
		cmocka_unit_test(the_sink_may_stop),
		cmocka_unit_test(a_large_round_comes_in_pieces),
		cmocka_unit_test(ids_tell_the_event),
		cmocka_unit_test(what_was_lost_is_added_up),
		cmocka_unit_test(a_record_that_is_too_short_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
