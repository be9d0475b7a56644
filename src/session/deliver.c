/* SPDX-License-Identifier: MIT */
/*
 * The way of records from the file to the sink.
 *
 * perf's own records are applied and handed out as they are read. Records of the kernel wait until
 * they are next in time (session/order.h); those without a time are handed out immediately. In both
 * cases they are collected in a batch, and side-band records are applied to the machine when they
 * enter it: lookups name a time, so records that come later in the batch do not change the results.
 *
 * While other threads look things up, nothing can be applied. So if there are such threads, the
 * side-band of a round is applied before any record of the round is handed out, and the threads
 * wait once a round.
 */
#include "session/deliver.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/progress.h"
#include "session/handing.h"
#include "session/horizon.h"
#include "session/internal.h"
#include "session/machine-forget.h"
#include "session/record-counts.h"
#include "session/trace-reading.h"
#include "session/traces.h"

/*
 * This number of records is taken out of the order at a time; then the memory before them is
 * released.
 */
#define SPAN_MAX 32

/* Without a sink, memory is released after this many bytes. */
#define PASSED_MAX (4u << 20)

/* Samples are skipped in runs that fit into the first-level cache; they are counted there. */
#define RUN_MAX (32u << 10)

/*
 * Waiting records of compressed data are kept inflated. A recorder ends a round after one pass over
 * its buffers, so at most two rounds wait. A hostile file has no rounds, and gigabytes in a few
 * kilobytes. So at most this much waits for each byte that was read; beyond it, records are handed
 * out.
 */
#define WINDOW_FLOOR    (16u << 20)
#define WINDOW_PER_BYTE 64

/*
 * AHEAD_MIN: a smaller recording is read before another thread has started. AHEAD_MAX: another
 * thread gets smaller batches, because many of them may wait for it.
 */
#define AHEAD_MIN (512u << 10)
#define AHEAD_MAX 1024

/* A file in which this much waits for the end of a round has no rounds, or far too few. */
#define ROUNDLESS_MIN (32u << 20)

struct delivery {
	struct session *s;
	const struct session_sink *sink; /* NULL: only the side-band counts, */
	bool uncounted;                  /* samples are not even counted, */
	bool keeps;                      /* and the file's memory is kept for the next pass */
	/* some data is not mapped, so that it is gone once released */
	bool fleeting;
	struct handing handing;
	struct order early;           /* waiting side-band that is applied before its turn */
	struct horizon horizon;       /* of a file without rounds */
	bool decodes;                 /* hardware traces are decoded, */
	struct trace_reading reading; /* with this reading */
};

void session_tell_progress(const struct session *s, const char *title)
{
	uint64_t total, done;

	if (!s->progress)
		return;
	done = datafile_done_bytes(s->file, &total);
	if (total)
		progress_update(s->progress, title, done, total);
}

static int flush_batch(struct delivery *d)
{
	struct session *s = d->s;
	size_t n = s->n_batch;
	int r;

	s->n_batch = 0;
	s->batch_bytes = 0;
	s->batch_has_samples = false;
	r = handing_give(&d->handing, &s->batch, n);
	if (d->sink)
		session_tell_progress(s, SESSION_READING);
	if (s->forgets && machine_forget_due(&s->machine))
		machine_forget_before(&s->machine, s->last_time);
	return r;
}

/* True if a lookup for a sample in the batch would give another result once @d is applied. */
static bool disturbs_batch(const struct session *s, const struct delivered *d)
{
	return s->batch_has_samples && (!d->time || d->time <= s->batch[s->n_batch - 1].time);
}

static bool deliver_changes_state(const struct session *s, uint32_t type)
{
	return sideband_matters(type) || (s->notes_exits && type == PERF_RECORD_EXIT) ||
	       (s->traces && traces_matter(type));
}

/* True if the side-band of a round is applied before the round is handed out. */
static bool applies_early(const struct delivery *dl)
{
	return dl->handing.relay && !dl->s->applied;
}

/* Applies @d before it enters the batch. */
static int deliver_apply(struct delivery *dl, const struct delivered *d)
{
	struct session *s = dl->s;
	int r = 0;

	if (s->applied || !deliver_changes_state(s, d->raw.header.type) ||
	    (applies_early(dl) && d->time))
		return 0;
	if (disturbs_batch(s, d))
		r = flush_batch(dl);
	if (!r)
		r = handing_wait(&dl->handing);
	if (!r)
		session_apply(s, d);
	return r;
}

/* Does the same as take_in() for a record that is no sample. */
static int take_in_other(struct delivery *dl)
{
	struct session *s = dl->s;
	struct delivered *d = &s->batch[s->n_batch];
	int r = deliver_apply(dl, d);

	if (r)
		return r;
	/* The batch may have been handed out in the meantime. */
	if (d != &s->batch[s->n_batch])
		s->batch[s->n_batch] = *d;
	s->batch_bytes += s->batch[s->n_batch++].raw.header.size;
	return 0;
}

/* Adds the record in the slot after the batch, whose header is @h, to the batch. */
static inline int take_in(struct delivery *dl, struct record_header h)
{
	struct session *s = dl->s;

	if (h.type != PERF_RECORD_SAMPLE)
		return take_in_other(dl);
	s->batch_has_samples = true;
	s->batch_bytes += h.size;
	s->n_batch++;
	return 0;
}

/*
 * Restores a waiting record. The members are written one by one, because a large file has millions
 * of records. Returns its header.
 */
static inline struct record_header deliver_restore(const struct session *s, const struct waiting *w,
						   struct delivered *ret)
{
	struct record_header h = record_header_at(w->bytes, s->swap);
	unsigned event = waiting_high(w->place), origin = waiting_high(w->origin);

	ret->raw.bytes = w->bytes;
	ret->raw.header = h;
	ret->raw.offset = waiting_low(w->origin);
	ret->raw.position = waiting_low(w->place);
	ret->raw.payload = NULL;
	ret->raw.payload_size = 0;
	ret->raw.part = origin & ~WAITING_DECOMPRESSED;
	ret->raw.decompressed = origin & WAITING_DECOMPRESSED;
	ret->time = w->time;
	ret->event = event == WAITING_EVENT_NONE ? NULL : s->events.items[event];
	return h;
}

/* Applies the side-band of the records that are due now. */
static int deliver_early(struct delivery *dl)
{
	struct session *s = dl->s;
	const struct waiting *w;
	struct delivered d;
	size_t n;
	int r;

	order_until(&dl->early, s->order.due);
	w = order_next(&dl->early, 1, &n);
	if (!w)
		return 0;
	r = flush_batch(dl);
	if (!r)
		r = handing_wait(&dl->handing);
	for (; w && !r; w = order_next(&dl->early, 1, &n)) {
		deliver_restore(s, w, &d);
		session_apply(s, &d);
	}
	return r;
}

/* Releases the file's memory up to the first record that waits, is handed over or is being read. */
static void deliver_release(struct delivery *dl)
{
	struct session *s = dl->s;
	uint64_t waiting = order_first_position(&s->order, s->position);

	if (s->file)
		datafile_release(s->file, handing_pass(&dl->handing, waiting));
}

/* True if the batch cannot hold another span. */
static bool batch_is_full(const struct delivery *dl)
{
	const struct session *s = dl->s;
	size_t room = dl->handing.relay ? AHEAD_MAX : BATCH_MAX;

	return s->batch_bytes >= handing_bytes(&dl->handing) || s->n_batch > room - SPAN_MAX;
}

/* Takes a record that was decoded from a trace as if it had been in the file. */
static int take_decoded(struct delivery *dl, const struct delivered *d)
{
	struct session *s = dl->s;
	int r;

	s->counts.records[d->raw.header.type]++;
	if (d->raw.header.type == PERF_RECORD_SAMPLE) {
		sample_counts_add(&s->sample_counts, true, d->event, d->time);
		s->batch[s->n_batch] = *d;
		return take_in(dl, d->raw.header);
	}
	r = flush_batch(dl);
	return !r && dl->sink->user ? dl->sink->user(dl->sink->arg, d) : r;
}

/* Takes the records that hardware traces give up to @time. */
static int take_traces(struct delivery *dl, uint64_t time)
{
	struct delivered d;
	int r = 0;

	while (dl->decodes && !r) {
		if (batch_is_full(dl))
			r = flush_batch(dl);
		if (!dl->s->n_batch)
			trace_reading_forget(&dl->reading);
		if (r || session_is_stopped(dl->s) || !trace_reading_next(&dl->reading, time, &d))
			break;
		r = take_decoded(dl, &d);
	}
	return r;
}

/* Begins to decode as soon as the necessary information is known, and looks for new data. */
static void look_for_traces(struct delivery *dl)
{
	struct session *s = dl->s;

	if (!dl->sink || s->in_file_order || !traces_are_there(s->traces))
		return;
	if (!dl->decodes)
		trace_reading_init(&dl->reading, s->traces);
	dl->decodes = true;
	trace_reading_refill(&dl->reading);
}

static int deliver_take_turn(struct delivery *dl, const struct waiting *w)
{
	struct session *s = dl->s;
	int r = dl->decodes ? take_traces(dl, w->time) : 0;

	if (r)
		return r;
	s->counts.out_of_order += w->time < s->last_time;
	if (w->time > s->last_time)
		s->last_time = w->time;
	return take_in(dl, deliver_restore(s, w, &s->batch[s->n_batch]));
}

static int deliver_take_turns(struct delivery *dl, const struct waiting *w, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && !r; i++)
		r = deliver_take_turn(dl, &w[i]);
	return r;
}

/* Hands out the records that are due; the last ones may stay in the batch. */
static int deliver_drain(struct delivery *dl)
{
	struct session *s = dl->s;
	const struct waiting *w;
	size_t n;
	int r = dl->early.n ? deliver_early(dl) : 0;

	look_for_traces(dl);
	while (!r && (w = order_next(&s->order, SPAN_MAX, &n))) {
		r = deliver_take_turns(dl, w, n);
		if (!r && batch_is_full(dl))
			r = flush_batch(dl);
		if (!s->n_batch)
			deliver_release(dl);
	}
	return r;
}

static void wait_turn(struct delivery *dl, const struct raw_record *raw,
		      const struct session_event *e, uint64_t time)
{
	size_t event = e && e->index < WAITING_EVENT_NONE ? e->index : WAITING_EVENT_NONE;
	unsigned part = raw->part & ~WAITING_DECOMPRESSED;
	unsigned origin = part | (raw->decompressed ? WAITING_DECOMPRESSED : 0);
	const struct waiting w = { .time = time,
				   .bytes = raw->bytes,
				   .place = waiting_word(raw->position, event),
				   .origin = waiting_word(raw->offset, origin) };

	order_add(&dl->s->order, w);
	if (applies_early(dl) && deliver_changes_state(dl->s, raw->header.type))
		order_add(&dl->early, w);
}

static bool window_is_full(const struct session *s, const struct raw_record *raw)
{
	return raw->decompressed &&
	       raw->position - s->waits_from > WINDOW_FLOOR + WINDOW_PER_BYTE * raw->offset;
}

static int empty_window(struct delivery *dl)
{
	dl->s->round_at = dl->s->waits_from = dl->s->position;
	order_flush(&dl->s->order);
	return deliver_drain(dl);
}

static int deliver_at_once(struct delivery *dl, const struct raw_record *raw,
			   const struct session_event *e, uint64_t time)
{
	struct session *s = dl->s;
	int r;

	s->batch[s->n_batch] = (struct delivered){ .raw = *raw, .time = time, .event = e };
	r = take_in(dl, raw->header);
	if (!r && s->n_batch == BATCH_MAX) {
		r = flush_batch(dl);
		deliver_release(dl);
	}
	return r;
}

/* True if the record neither waits nor is handed out. */
static bool deliver_is_passed_over(const struct delivery *dl, uint32_t type,
				   const struct session_event *e)
{
	const struct session_sink *sink = dl->sink;

	if (!sink)
		return !deliver_changes_state(dl->s, type);
	return type == PERF_RECORD_SAMPLE && e && sink->skips && event_set_has(sink->skips, e);
}

static int take_kernel_record(struct delivery *dl, const struct raw_record *raw)
{
	struct session *s = dl->s;
	const struct session_event *e = NULL;
	uint64_t time = 0;

	if (events_place(&s->events, raw, s->swap, &e, &time)) {
		time = time == UINT64_MAX ? 0 : time;
		record_counts_add(s, raw, e, time);
	} else {
		s->counts.malformed++;
	}

	if (deliver_is_passed_over(dl, raw->header.type, e))
		order_saw(&s->order, time);
	else if (time && !s->in_file_order)
		wait_turn(dl, raw, e, time);
	else
		return deliver_at_once(dl, raw, e, time);
	return 0;
}

static int deliver_take_round(struct delivery *dl)
{
	int r;

	dl->s->waits_from = dl->s->round_at;
	dl->s->round_at = dl->s->position;
	order_round(&dl->s->order);
	r = deliver_drain(dl);
	return !r && (!dl->s->file || session_is_stream(dl->s)) ? flush_batch(dl) : r;
}

static int take_user_record(struct delivery *dl, const struct raw_record *raw)
{
	bool watched = dl->sink && dl->sink->user;
	int r = 0;

	if (watched)
		r = flush_batch(dl);
	if (!r && raw->header.type != PERF_RECORD_FINISHED_ROUND)
		r = handing_wait(&dl->handing);
	if (dl->s->file)
		session_apply_user(dl->s, raw);
	if (!r && watched)
		r = dl->sink->user(dl->sink->arg, &(struct delivered){ .raw = *raw });
	if (!r && raw->header.type == PERF_RECORD_FINISHED_ROUND)
		r = deliver_take_round(dl);
	return r;
}

static void count_unknown(struct session_counts *c, uint32_t type)
{
	if (!c->unknown_types++)
		c->unknown_type = type;
}

static int deliver_take_record(struct delivery *dl, const struct raw_record *raw)
{
	struct session *s = dl->s;
	uint32_t type = raw->header.type;

	if (type < PERF_RECORD_USER_MAX)
		s->counts.records[type]++;
	if (type >= PERF_RECORD_USER_MAX ||
	    (type >= PERF_RECORD_KERNEL_MAX && type < PERF_RECORD_USER_FIRST))
		count_unknown(&s->counts, type);
	if (window_is_full(s, raw)) {
		int r = empty_window(dl);

		if (r)
			return r;
	}
	if (type >= PERF_RECORD_USER_FIRST)
		return take_user_record(dl, raw);
	return dl->uncounted && type == PERF_RECORD_SAMPLE ? 0 : take_kernel_record(dl, raw);
}

/* Takes the sample at @at of @run like any other record. */
static int take_of_run(struct delivery *dl, const struct sample_run *run, size_t at)
{
	const struct raw_record raw = {
		.bytes = run->bytes + at,
		.header = record_header_at(run->bytes + at, dl->s->swap),
		.offset = run->offset + at,
		.position = run->position + at,
		.part = run->part,
	};

	dl->s->position = raw.position;
	return take_kernel_record(dl, &raw);
}

/*
 * Does the same as take_kernel_record() for a sample that only has to wait for its turn, without
 * calls, because there are millions of them, and adds it to @counts. Returns false if it is not
 * such a sample.
 */
static inline bool let_wait(struct delivery *dl, const struct sample_run *run, size_t at,
			    const struct record_header *h, struct sample_counts *counts)
{
	struct session *s = dl->s;
	const struct raw_record raw = { .bytes = run->bytes + at, .header = *h };
	const struct session_event *e = NULL;
	uint64_t time = 0;

	if (!s->events.n || s->in_file_order ||
	    !events_place_sample(&s->events, &raw, s->swap, &e, &time) || !e || !time ||
	    time == UINT64_MAX || e->index >= WAITING_EVENT_NONE)
		return false;
	sample_counts_add(counts, true, true, time);
	if (dl->sink->skips && event_set_has(dl->sink->skips, e))
		order_saw(&s->order, time);
	else
		order_add(&s->order, (struct waiting){
					     .time = time,
					     .bytes = raw.bytes,
					     .place = waiting_word(run->position + at, e->index),
					     .origin = waiting_word(run->offset + at, run->part),
				     });
	return true;
}

static int deliver_take_run(struct delivery *dl, const struct sample_run *run)
{
	struct sample_counts counts = dl->s->sample_counts; /* in registers */
	int r = 0;

	dl->s->counts.records[PERF_RECORD_SAMPLE] += run->n;
	for (size_t at = 0; at < run->size && !r;) {
		struct record_header h = record_header_at(run->bytes + at, dl->s->swap);

		/* A file that shrinks while it is read contains zeros from then on. */
		if (h.size < RECORD_HEADER_SIZE || h.size > run->size - at)
			break;
		if (!let_wait(dl, run, at, &h, &counts)) {
			dl->s->sample_counts = counts;
			r = take_of_run(dl, run, at);
			counts = dl->s->sample_counts;
		}
		at += h.size;
	}
	dl->s->sample_counts = counts;
	dl->s->position = run->position + run->size;
	return r;
}

/*
 * Releases memory in pass 1, which hands out nothing; most of the records that it reads do not
 * wait.
 */
static void let_go(struct delivery *dl, uint64_t *released)
{
	if (dl->sink || dl->s->position - *released < PASSED_MAX)
		return;
	session_tell_progress(dl->s, SESSION_SCANNING);
	if (dl->keeps && !dl->s->pieces.elsewhere)
		return;
	flush_batch(dl);
	/* Waiting records of a mapped file can be read again later. */
	if (dl->fleeting)
		deliver_release(dl);
	else
		datafile_release(dl->s->file, dl->s->position);
	*released = dl->s->position;
}

static void deliver_count_run(struct session *s, const struct sample_run *run)
{
	struct delivered items[64];
	struct sample_walk w = {
		.events = &s->events, .swap = s->swap, .bytes = run->bytes, .size = run->size
	};

	while (sample_walk_next(&w, items, ARRAY_SIZE(items), &s->sample_counts))
		;
}

/* Skips samples up to the next record that matters. */
static void pass_samples(struct delivery *dl, uint64_t *released)
{
	struct session *s = dl->s;
	struct sample_run run;

	while (!session_is_stopped(s) && datafile_next_samples(s->file, RUN_MAX, &run)) {
		s->counts.records[PERF_RECORD_SAMPLE] += run.n;
		pieces_add_samples(&s->pieces, &run);
		if (!dl->uncounted)
			deliver_count_run(s, &run);
		s->position = run.position + run.size;
		let_go(dl, released);
	}
}

/* Reads the next record; in pass 1, samples of a mapped file are skipped. */
static int deliver_next_record(struct delivery *dl, uint64_t *released, struct raw_record *ret,
			       struct diag *diag)
{
	struct session *s = dl->s;
	bool stays;
	int r;

	if (!dl->sink)
		pass_samples(dl, released);
	if (session_is_stopped(s))
		return -ECANCELED;
	r = datafile_next(s->file, ret, diag);
	if (r <= 0)
		return r;
	s->position = ret->position;
	stays = datafile_record_stays(s->file, ret);
	dl->fleeting |= !stays;
	let_go(dl, released);
	if (!dl->sink)
		pieces_add_record(&s->pieces, ret, stays);
	return r;
}

/* Hands out records that wait for a round, if nothing in the rest of the file is older. */
static int deliver_look_ahead(struct delivery *dl)
{
	struct session *s = dl->s;
	uint64_t due;

	if (s->position - s->waits_from < ROUNDLESS_MIN || s->in_file_order ||
	    traces_are_there(s->traces))
		return 0;
	if (!dl->horizon.is_known)
		horizon_find(&dl->horizon, s);
	due = horizon_at(&dl->horizon, s->position);
	if (due <= s->order.due)
		return 0;
	order_until(&s->order, due);
	return deliver_drain(dl);
}

/* Takes samples of a mapped file up to the next other record. */
static int take_runs(struct delivery *dl)
{
	struct sample_run run;
	int r = 0;

	while (dl->sink && !r && !session_is_stopped(dl->s) &&
	       datafile_next_samples(dl->s->file, RUN_MAX, &run)) {
		r = deliver_take_run(dl, &run);
		if (!r)
			r = deliver_look_ahead(dl);
	}
	return r;
}

static void tell_counts(struct session *s)
{
	sample_counts_merge(&s->sample_counts, &s->counts);
	s->sample_counts = (struct sample_counts){ 0 };
}

/* Hands out all waiting records at the end. */
static int deliver_take_rest(struct delivery *dl)
{
	int r;

	order_finish(&dl->s->order);
	r = deliver_drain(dl);
	if (!r)
		r = take_traces(dl, UINT64_MAX);
	if (!r)
		r = flush_batch(dl);
	return r ? r : handing_wait(&dl->handing);
}

/*
 * True if batches are handed over by another thread while this one reads on. This is not possible
 * if the sink takes records as they are read, or if data that it looks up is forgotten; it is not
 * worth it for a short recording.
 */
static bool reads_ahead(const struct delivery *dl)
{
	struct session *s = dl->s;
	uint64_t total;

	if (!dl->sink || dl->sink->user || dl->sink->stays || s->forgets || session_is_stream(s) ||
	    traces_are_there(s->traces))
		return false;
	datafile_done_bytes(s->file, &total);
	return total >= AHEAD_MIN;
}

/* Reads to the end. Records that were read before an error are handed out too. */
static int deliver(struct delivery *dl, struct diag *diag)
{
	struct session *s = dl->s;
	struct raw_record raw;
	uint64_t released = 0;
	int end = 0, r;

	handing_init(&dl->handing, dl->sink, reads_ahead(dl), BATCH_MAX);
	s->counts = (struct session_counts){ 0 };
	s->counted = !dl->uncounted;
	s->last_time = 0;
	s->round_at = s->waits_from = 0;
	while (!(r = take_runs(dl)) && (end = deliver_next_record(dl, &released, &raw, diag)) > 0 &&
	       !(r = deliver_take_record(dl, &raw)))
		;
	if (!r && end != -ECANCELED)
		r = deliver_take_rest(dl);
	handing_done(&dl->handing);
	order_done(&dl->early);
	horizon_done(&dl->horizon);
	if (dl->decodes)
		trace_reading_done(&dl->reading);
	s->n_batch = 0;
	order_done(&s->order);
	progress_finish(s->progress);
	tell_counts(s);
	if (r)
		return r < 0 ? r : 0;
	s->applied = true;
	return end;
}

/* Reads the record that begins at @bytes. false: there is no whole record. */
static bool record_at(const struct session *s, const uint8_t *bytes, size_t size,
		      struct raw_record *ret)
{
	*ret = (struct raw_record){ .bytes = bytes };
	return record_header_decode(bytes, size, s->swap, &ret->header) >= 0 &&
	       ret->header.size <= size;
}

int session_deliver_pass(struct session *s, const struct session_sink *sink, const uint8_t *bytes,
			 size_t size)
{
	struct delivery dl = { .s = s, .sink = sink, .handing.sink = sink };
	struct raw_record raw;
	int r = 0;

	for (size_t at = 0; !r && record_at(s, bytes + at, size - at, &raw); at += raw.header.size)
		r = deliver_take_record(&dl, &raw);
	if (!r)
		r = deliver_take_round(&dl);
	tell_counts(s);
	return r;
}

int session_deliver_rest(struct session *s, const struct session_sink *sink)
{
	return deliver_take_rest(&(struct delivery){ .s = s, .sink = sink, .handing.sink = sink });
}

/*
 * True if a scan is needed first. Traces of a file are decoded when all of its side-band is known,
 * and all of their data, which may come after records of the same time. Deferred stacks come after
 * their samples.
 */
static bool needs_scan(const struct session *s)
{
	bool looks_ahead = traces_are_there(s->traces) || s->events.defers;

	return looks_ahead && !s->applied && !session_is_stream(s);
}

int session_deliver(struct session *s, const struct session_sink *sink, struct diag *diag)
{
	int r = needs_scan(s) ? session_scan_for(s, false, diag) : 0;

	if (r < 0)
		return r;
	return deliver(&(struct delivery){ .s = s, .sink = sink }, diag);
}

bool session_file_is_small(const struct session *s)
{
	uint64_t total;

	datafile_done_bytes(s->file, &total);
	return total <= SMALL_MAX;
}

int session_scan_for(struct session *s, bool count, struct diag *diag)
{
	/* This is tried first, so that nothing is read from a stream. */
	int r = datafile_rewind(s->file);

	if (r < 0)
		return r;
	pieces_done(&s->pieces);
	r = deliver(&(struct delivery){ .s = s,
					.uncounted = !count,
					.keeps = session_file_is_small(s) },
		    diag);
	if (r < 0)
		return r;
	s->scanned = true;
	return datafile_rewind(s->file);
}

int session_scan(struct session *s, struct diag *diag)
{
	return session_scan_for(s, true, diag);
}
