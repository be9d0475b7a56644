/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>

#include "base/text.h"
#include "counted-progress.h"
#include "datafile/deflater.h"
#include "session/deliver.h"
#include "session/internal.h"
#include "session/live.h"
#include "session/machine.h"
#include "traced.h"
#include "skip.h"

/*
 * Logs everything that is delivered: times of samples, 'm' and 'c' for maps and names, 'R' for
 * rounds.
 */
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

/* Clocks may stand still: a name that comes later in the file at the same time is not known yet. */
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

/* A record that is shorter than its layout is delivered for a dump, without a time or an event. */
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

static void aux(struct recording *rec, uint64_t flags)
{
	add(rec, (struct record){ .header.type = PERF_RECORD_AUX, .aux = { .flags = flags } }, 0);
}

static void what_the_kernel_says_of_traces_and_throttling_is_counted(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	struct record lost = { .header = { .type = PERF_RECORD_LOST_SAMPLES,
					   .misc = PERF_RECORD_MISC_LOST_SAMPLES_BPF },
			       .lost = { .lost = 5 } };

	(void)state;
	aux(&rec, 0);
	aux(&rec, PERF_AUX_FLAG_OVERWRITE);
	for (int i = 0; i < 2; i++)
		aux(&rec, PERF_AUX_FLAG_TRUNCATED);
	for (int i = 0; i < 3; i++)
		aux(&rec, PERF_AUX_FLAG_PARTIAL);
	for (int i = 0; i < 4; i++)
		aux(&rec, PERF_AUX_FLAG_COLLISION);
	aux(&rec, PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION);
	for (int i = 0; i < 2; i++)
		add(&rec, (struct record){ .header.type = PERF_RECORD_THROTTLE }, 0);
	add(&rec, (struct record){ .header.type = PERF_RECORD_UNTHROTTLE }, 0);
	add(&rec, lost, 0);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_int_equal(session_counts(l.s)->aux_lost, 3);
	assert_int_equal(session_counts(l.s)->aux_gaps, 4);
	assert_int_equal(session_counts(l.s)->aux_collisions, 5);
	assert_int_equal(session_counts(l.s)->throttled, 2);
	assert_int_equal(session_counts(l.s)->lost_samples, 0);
	assert_int_equal(session_counts(l.s)->records[PERF_RECORD_AUX], 12);
	assert_int_equal(session_counts(l.s)->records[PERF_RECORD_THROTTLE], 2);
}

/* Adds a record of that type, and samples behind it, which prove that it is one. */
static void put_header(struct recording *rec, uint32_t type)
{
	bytes_u32(&rec->records, type);
	bytes_u16(&rec->records, 0);
	bytes_u16(&rec->records, 16);
	bytes_u64(&rec->records, 0);
	for (uint64_t i = 0; i < 4; i++)
		sampled(rec, 1, 7, 5 + i);
}

static void types_that_are_not_known_are_counted_and_the_first_is_named(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	put_header(&rec, PERF_RECORD_USER_MAX - 1);
	put_header(&rec, PERF_RECORD_USER_FIRST + 1);
	put_header(&rec, PERF_RECORD_KERNEL_MAX - 1);
	put_header(&rec, PERF_RECORD_KERNEL_MAX);
	put_header(&rec, PERF_RECORD_USER_FIRST - 1);
	put_header(&rec, PERF_RECORD_USER_MAX);
	l.s = opened(&rec, true);
	assert_int_equal(read_all(&l, false), 0);
	assert_int_equal(session_counts(l.s)->unknown_types, 3);
	assert_int_equal(session_counts(l.s)->unknown_type, PERF_RECORD_KERNEL_MAX);
	assert_int_equal(session_counts(l.s)->records[PERF_RECORD_USER_MAX - 1], 1);
	assert_int_equal(session_counts(l.s)->samples, 24);
}

/* The offset of the records in a file of opened(), and the size of its samples. */
#define RECORDS_AT  408
#define SAMPLE_SIZE 40

static int log_places(void *arg, const struct delivered *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(items[i].raw.position, items[i].raw.offset);
		assert_int_equal(items[i].raw.part, 0);
		assert_false(items[i].raw.decompressed);
		assert_null(items[i].raw.payload);
		text_addf(arg, "%s%d@%d/%d", i ? " " : "", (int)items[i].time,
			  (int)(items[i].raw.offset - RECORDS_AT) / SAMPLE_SIZE,
			  items[i].event ? (int)items[i].event->index : -1);
	}
	return 0;
}

static void records_know_where_they_were(void **state)
{
	(void)state;
	for (int in_file_order = 0; in_file_order < 2; in_file_order++) {
		_cleanup_(recording_done) struct recording rec = recording_new();
		_cleanup_(session_freep) struct session *s = NULL;
		_cleanup_(text_done) struct text places = TEXT_EMPTY;
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct session_sink sink = { .batch = log_places, .arg = &places };

		sampled(&rec, 1, 7, 30);
		sampled(&rec, 99, 7, 20);
		sampled(&rec, 2, 7, 0);
		sampled(&rec, 2, 7, 10);
		sampled(&rec, 1, 7, UINT64_MAX);
		s = opened(&rec, in_file_order);
		assert_int_equal(session_deliver(s, &sink, &diag), 0);
		assert_string_equal(places.chars, in_file_order
							  ? "30@0/0 20@1/-1 0@2/1 10@3/1 0@4/0"
							  : "0@2/1 0@4/0 10@3/1 20@1/-1 30@0/0");
		assert_int_equal(session_counts(s)->samples, 5);
	}
}

static void what_is_skipped_is_counted_and_moves_the_limit(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	_cleanup_(diag_done) struct diag diag = { 0 };
	bool is_second[] = { false, true };
	const struct event_set second = { .items = is_second, .n = 2 };
	struct session_sink sink = {
		.batch = log_batch, .user = log_user, .skips = &second, .arg = &l
	};

	(void)state;
	sampled(&rec, 1, 7, 10);
	sampled(&rec, 2, 7, 50);
	round_ends(&rec);
	sampled(&rec, 1, 7, 40);
	round_ends(&rec);
	sampled(&rec, 99, 7, 60);
	l.s = opened(&rec, false);
	assert_int_equal(session_deliver(l.s, &sink, &diag), 0);
	assert_string_equal(l.text.chars, "R R 10 40 60");
	assert_int_equal(session_counts(l.s)->samples, 4);
	assert_int_equal(session_counts(l.s)->last_time, 60);
}

static void a_pass_goes_out_after_the_next_one(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	uint64_t id = 1;
	const struct file_event event = { .attr = rec.attr, .ids = &id, .n_ids = 1 };
	struct session_sink sink = { .batch = log_batch, .arg = &l };

	(void)state;
	l.s = session_live_new(&(struct session_live_options){ .events = &event, .n_events = 1 });
	sampled(&rec, 1, 7, 20);
	sampled(&rec, 1, 7, 10);
	sampled(&rec, 1, 7, 5);
	assert_int_equal(session_deliver_pass(l.s, &sink, rec.records.data, rec.records.n - 1), 0);
	assert_int_equal(l.text.length, 0);
	assert_int_equal(session_counts(l.s)->samples, 2);
	assert_int_equal(session_deliver_pass(l.s, &sink, rec.records.data, 0), 0);
	assert_string_equal(l.text.chars, "10 20");
	assert_int_equal(l.batches, 1);
	rec.records.n = 0;
	sampled(&rec, 1, 7, 40);
	sampled(&rec, 1, 7, 15);
	l.answer = -EPIPE;
	assert_int_equal(session_deliver_pass(l.s, &sink, rec.records.data, rec.records.n), -EPIPE);
	assert_string_equal(l.text.chars, "10 20 15");
	assert_int_equal(session_counts(l.s)->out_of_order, 1);
	l.answer = 0;
	assert_int_equal(session_deliver_rest(l.s, &sink), 0);
	assert_string_equal(l.text.chars, "10 20 15 40");
}

static void a_stopped_session_hands_out_nothing(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	atomic_bool stop = true;

	(void)state;
	sampled(&rec, 1, 7, 10);
	sampled(&rec, 1, 7, 20);
	rec.stop = &stop;
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), -ECANCELED);
	assert_int_equal(l.batches, 0);
	stop = false;
}

/*
 * Returns a recording with loads at the ticks 10 and 30 of one queue and 20, 25 and 40 of another,
 * after samples and a name.
 */
static struct recording with_loads(void)
{
	struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);

	trace_info(&rec);
	sampled(&rec, 1, 7, 35);
	sampled(&rec, 1, 7, 25);
	comm(&rec, 7, 7, "a", 15);
	trace_loads(&rec, 0, (const uint8_t[]){ 10, 30, 0 });
	trace_loads(&rec, 1, (const uint8_t[]){ 20, 25, 40, 0 });
	return rec;
}

static void samples_of_traces_come_in_their_turn(void **state)
{
	_cleanup_(recording_done) struct recording rec = with_loads();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "10 c 20 25 25 30 35 40");
	assert_int_equal(l.batches, 1);
	assert_int_equal(session_counts(l.s)->samples, 7);
	assert_int_equal(session_counts(l.s)->records[PERF_RECORD_SAMPLE], 7);
	assert_int_equal(session_counts(l.s)->first_time, 10);
	assert_int_equal(session_counts(l.s)->last_time, 40);
}

static void traces_are_left_alone_in_the_order_of_the_file(void **state)
{
	_cleanup_(recording_done) struct recording rec = with_loads();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	l.s = opened(&rec, true);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "35 25 c");
}

static int check_names(void *arg, const struct delivered *items, size_t n)
{
	char name[16];

	for (size_t i = 0; i < n; i++) {
		if (items[i].raw.header.type != PERF_RECORD_SAMPLE)
			continue;
		snprintf(name, sizeof(name), "n%d", (int)(items[i].time / 1000));
		assert_string_equal(machine_comm(*(struct session **)arg, 7, 7, items[i].time),
				    name);
	}
	return 0;
}

/*
 * A round is as large as the part of the file that is read ahead. In each round the names come
 * behind the samples.
 */
static void names_are_known_before_a_large_round_is_handed_out(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_sink sink = { .batch = check_names, .arg = &s };
	char name[16];

	(void)state;
	for (uint64_t round = 0; round < 10; round++) {
		for (uint64_t i = round * 3000 + 1; i < (round + 1) * 3000; i++)
			sampled(&rec, 1, 7, i);
		for (uint64_t i = round * 3; i < (round + 1) * 3; i++) {
			snprintf(name, sizeof(name), "n%d", (int)i);
			comm(&rec, 7, 7, name, i * 1000 + 1 - !!i);
		}
		round_ends(&rec);
	}
	s = opened(&rec, false);
	assert_int_equal(session_deliver(s, &sink, &diag), 0);
	assert_int_equal(session_counts(s)->samples, 10 * 2999);
	assert_int_equal(session_counts(s)->out_of_order, 0);
}

/*
 * Returns how many of these records come out of order: @n compressed samples of 60,000 bytes that
 * inflate from almost nothing, then an older one.
 */
static uint64_t count_too_late(size_t n)
{
	static const uint8_t zeros[60000 - 32];
	_cleanup_(recording_done) struct recording rec =
		recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW);
	_cleanup_(deflater_freep) struct deflater *z = deflater_new(1, false);
	_cleanup_(bytes_done) struct bytes small = { 0 };
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	struct sample sample = { .id = 1, .time = 100, .raw = zeros, .raw_size = 9996 };

	if (!z)
		skip_because("built without zstd");
	/* This sample puts a distance between the beginning and the compressed record. */
	assert_int_equal(sample_encode(&sample, &rec.attr, &rec.records), 0);
	small = rec.records;
	rec.records = (struct bytes){ 0 };
	sample.raw_size = sizeof(zeros) - 4;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(sample_encode(&sample, &rec.attr, &rec.records), 0);
	sample.time = 50;
	assert_int_equal(sample_encode(&sample, &rec.attr, &rec.records), 0);
	assert_int_equal(deflater_add(z, rec.records.data, rec.records.n, &small), 0);
	rec.records.n = 0;
	bytes_add(&rec.records, small.data, small.n);
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_int_equal(session_counts(l.s)->samples, n + 2);
	return session_counts(l.s)->out_of_order;
}

/* The limit is 16 MiB, and 64 bytes for each of the 10,000 before: 17.4 million. */
static void compressed_records_wait_until_they_are_too_many_for_what_was_read(void **state)
{
	(void)state;
	assert_int_equal(count_too_late(275), 0);
	assert_int_equal(count_too_late(300), 1);
}

/* There are more samples than a batch, so that a batch is delivered while others are read. */
static void a_sink_that_stops_gets_no_more_batches(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY, .answer = -EPIPE };

	(void)state;
	for (uint64_t i = 1; i <= 40000; i++)
		sampled(&rec, 1, 7, i);
	l.s = opened(&rec, true);
	assert_int_equal(read_all(&l, true), -EPIPE);
	assert_int_equal(l.batches, 1);
}

/* The long one has 4 MiB and more. */
static void a_scan_is_told_of_if_it_takes_long(void **state)
{
	(void)state;
	for (int is_long = 0; is_long < 2; is_long++) {
		_cleanup_(recording_done) struct recording rec = recording_new();
		_cleanup_(session_freep) struct session *s = NULL;
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct counted_progress told = COUNTED_PROGRESS;

		for (uint64_t i = 1; i <= (is_long ? 110000 : 1000); i++)
			sampled(&rec, 1, 7, i);
		rec.progress = &told.progress;
		s = opened(&rec, false);
		assert_int_equal(session_scan(s, &diag), 0);
		assert_int_equal(session_counts(s)->samples, is_long ? 110000 : 1000);
		assert_int_equal(told.updates > 0, is_long);
		if (is_long)
			assert_string_equal(told.title, SESSION_SCANNING);
	}
}

/* Rounds end before the data of the trace, which is older than one of their samples. */
static void traces_are_known_before_the_first_record_is_handed_out(void **state)
{
	_cleanup_(recording_done) struct recording rec =
		recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };

	(void)state;
	trace_info(&rec);
	sampled(&rec, 1, 7, 35);
	round_ends(&rec);
	round_ends(&rec);
	trace_loads(&rec, 0, (const uint8_t[]){ 10, 30, 40, 0 });
	l.s = opened(&rec, false);
	assert_int_equal(read_all(&l, false), 0);
	assert_string_equal(l.text.chars, "10 30 35 40");
}

static int look_for_deferred(void *arg, const struct delivered *items, size_t n)
{
	struct log *l = arg;

	for (size_t i = 0; i < n; i++)
		if (items[i].raw.header.type == PERF_RECORD_SAMPLE)
			text_addf(&l->text, "%d ",
				  !!deferred_chains_find(&l->s->machine.deferred, 7, 77));
	return 0;
}

static void deferred_stacks_are_known_before_the_first_sample_is_handed_out(void **state)
{
	static const uint64_t ips[] = { 0x10 };
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(log_done) struct log l = { .text = TEXT_EMPTY };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_sink sink = { .batch = look_for_deferred, .user = log_user, .arg = &l };
	struct record later = {
		.header.type = PERF_RECORD_CALLCHAIN_DEFERRED,
		.callchain_deferred = { .cookie = 77,
					.ips = { .bytes = (const uint8_t *)ips, .n = 1 } },
		.id = { .pid = 7, .tid = 7 },
	};

	(void)state;
	rec.attr.defer_callchain = 1;
	sampled(&rec, 1, 7, 35);
	for (int i = 0; i < 3; i++)
		round_ends(&rec);
	sampled(&rec, 1, 7, 36);
	add(&rec, later, 40);
	l.s = opened(&rec, false);
	assert_int_equal(session_deliver(l.s, &sink, &diag), 0);
	assert_string_equal(l.text.chars, "R R1  R1 ");
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
		cmocka_unit_test(what_the_kernel_says_of_traces_and_throttling_is_counted),
		cmocka_unit_test(types_that_are_not_known_are_counted_and_the_first_is_named),
		cmocka_unit_test(records_know_where_they_were),
		cmocka_unit_test(what_is_skipped_is_counted_and_moves_the_limit),
		cmocka_unit_test(a_pass_goes_out_after_the_next_one),
		cmocka_unit_test(a_stopped_session_hands_out_nothing),
		cmocka_unit_test(samples_of_traces_come_in_their_turn),
		cmocka_unit_test(traces_are_left_alone_in_the_order_of_the_file),
		cmocka_unit_test(names_are_known_before_a_large_round_is_handed_out),
		cmocka_unit_test(compressed_records_wait_until_they_are_too_many_for_what_was_read),
		cmocka_unit_test(a_sink_that_stops_gets_no_more_batches),
		cmocka_unit_test(a_scan_is_told_of_if_it_takes_long),
		cmocka_unit_test(traces_are_known_before_the_first_record_is_handed_out),
		cmocka_unit_test(deferred_stacks_are_known_before_the_first_sample_is_handed_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
