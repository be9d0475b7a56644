/* SPDX-License-Identifier: MIT */
/*
 * Delivers samples in any order, on several threads.
 *
 * A mapped file is cut into pieces of whole records, which threads walk independently. Compressed
 * data is one stream of bytes: one thread inflates the next batch while the others take slices of
 * the one before.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/workers.h"
#include "session/deliver.h"
#include "session/internal.h"
#include "session/trace-reading.h"
#include "session/traces.h"

/* This number of samples is handed out at a time, so that they fit into the first-level cache. */
#define HAND_MAX 128

/* With less work than this, waking other threads takes longer than doing it. */
#define ALONE_MAX (512u << 10)

struct unordered_batch {
	struct delivered items[BATCH_MAX];
	size_t n;
	uint64_t position; /* position of its first record */
};

struct sharing {
	struct session *s;
	struct workers *workers; /* NULL: alone */
	const struct unordered_sink *sink;
	struct diag *diag;
	struct sample_counts *counts; /* one for each worker */
	atomic_int result;            /* the first result of the sink that asks to stop */
	bool drops;                   /* releases the memory of processed pieces */

	struct unordered_batch *now, *next; /* the batch that is shared out; the one being made */
	int end;                            /* the last result of reading: > 0, there is more */
};

static bool unordered_stopped(struct sharing *sh)
{
	return atomic_load_explicit(&sh->result, memory_order_relaxed) || session_is_stopped(sh->s);
}

static void unordered_hand(struct sharing *sh, unsigned worker, const struct delivered *items,
			   size_t n)
{
	int r = sh->sink->samples(sh->sink->arg, worker, items, n);
	int none = 0;

	if (r)
		atomic_compare_exchange_strong(&sh->result, &none, r);
}

static void unordered_run(struct sharing *sh, size_t pieces,
			  void (*fn)(void *arg, size_t i, unsigned worker))
{
	if (sh->workers && pieces > 1)
		workers_run(sh->workers, pieces, fn, sh);
	else
		for (size_t i = 0; i < pieces; i++)
			fn(sh, i, 0);
}

static void hand_piece(void *arg, size_t i, unsigned worker)
{
	struct sharing *sh = arg;
	struct session *s = sh->s;
	const struct piece *p = &s->pieces.items[i];
	struct delivered items[HAND_MAX];
	struct sample_walk w = {
		.events = &s->events,
		.swap = s->swap,
		.bytes = datafile_mapped(s->file, p->part, p->offset),
		.size = p->size,
		.offset = p->offset,
		.position = p->position,
		.part = p->part,
	};
	size_t n;

	if (!p->n_samples)
		return;
	while (!unordered_stopped(sh) &&
	       (n = sample_walk_next(&w, items, HAND_MAX, &sh->counts[worker])))
		unordered_hand(sh, worker, items, n);
	if (sh->drops)
		datafile_drop(s->file, p->part, p->offset, p->size);
	/* Pieces are taken in order, so those before this one are done, or nearly. */
	if (!worker)
		progress_update(s->progress, SESSION_SAMPLES, i + 1, s->pieces.n);
}

static int share_pieces(struct sharing *sh)
{
	struct session *s = sh->s;

	if (s->pieces.sample_bytes < ALONE_MAX && !sh->sink->is_costly)
		sh->workers = NULL;
	sh->drops = !session_file_is_small(s);
	unordered_run(sh, s->pieces.n, hand_piece);
	datafile_note_shrunk(s->file);
	return 0;
}

static void hand_slice(struct sharing *sh, size_t i, unsigned worker)
{
	const struct unordered_batch *b = sh->now;
	size_t first = i * HAND_MAX;

	if (first < b->n && !unordered_stopped(sh))
		unordered_hand(sh, worker, &b->items[first],
			       b->n - first < HAND_MAX ? b->n - first : HAND_MAX);
}

static size_t unordered_slices(const struct unordered_batch *b)
{
	return (b->n + HAND_MAX - 1) / HAND_MAX;
}

static void unordered_add_sample(struct sharing *sh, const struct raw_record *raw, unsigned worker)
{
	struct session *s = sh->s;
	struct delivered *d = &sh->next->items[sh->next->n++];
	bool whole;

	*d = (struct delivered){ .raw = *raw };
	whole = events_place(&s->events, raw, s->swap, &d->event, &d->time);
	if (d->time == UINT64_MAX)
		d->time = 0;
	sample_counts_add(&sh->counts[worker], whole, d->event, d->time);
}

static void unordered_make_batch(struct sharing *sh, unsigned worker)
{
	struct unordered_batch *b = sh->next;
	size_t bytes = 0;
	struct raw_record raw;

	b->n = 0;
	b->position = UINT64_MAX;
	while (b->n < BATCH_MAX && bytes < BATCH_BYTES_MAX && sh->end > 0 &&
	       !unordered_stopped(sh)) {
		sh->end = datafile_next(sh->s->file, &raw, sh->diag);
		if (sh->end <= 0)
			break;
		if (b->position == UINT64_MAX)
			b->position = raw.position;
		bytes += raw.header.size;
		if (raw.header.type == PERF_RECORD_SAMPLE)
			unordered_add_sample(sh, &raw, worker);
	}
}

/*
 * Takes a piece. Piece 0 is taken first, by any thread: that thread inflates the next batch for the
 * others.
 */
static void hand_or_make(void *arg, size_t i, unsigned worker)
{
	if (i)
		hand_slice(arg, i - 1, worker);
	else
		unordered_make_batch(arg, worker);
}

static int share_scanned(struct sharing *sh)
{
	_cleanup_(freep) struct unordered_batch *a = xmalloc(sizeof(*a)), *b = xmalloc(sizeof(*b));

	sh->next = a;
	sh->end = 1;
	unordered_make_batch(sh, 0);
	while (sh->next->n || sh->end > 0) {
		sh->now = sh->next;
		sh->next = sh->now == a ? b : a;
		datafile_release(sh->s->file, sh->now->position);
		unordered_run(sh, 1 + unordered_slices(sh->now), hand_or_make);
		session_tell_progress(sh->s, SESSION_SAMPLES);
		if (unordered_stopped(sh))
			return 0;
	}
	return sh->end;
}

/* Decodes queue @i. */
static void hand_queue(void *arg, size_t i, unsigned worker)
{
	struct sharing *sh = arg;
	struct delivered items[HAND_MAX];
	struct trace_reading reading;
	size_t n;

	trace_reading_init_one(&reading, sh->s->traces, i);
	trace_reading_refill(&reading);
	do {
		trace_reading_forget(&reading);
		for (n = 0; n < HAND_MAX && trace_reading_next(&reading, UINT64_MAX, &items[n]);) {
			/*
			 * Errors are only counted, because they are for consumers that take
			 * records, in order.
			 */
			if (items[n].raw.header.type == PERF_RECORD_SAMPLE)
				sample_counts_add(&sh->counts[worker], true, true, items[n++].time);
			else
				sh->counts[worker].trace_errors++;
		}
		if (n)
			unordered_hand(sh, worker, items, n);
	} while (n && !unordered_stopped(sh));
	trace_reading_done(&reading);
}

static void share_traces(struct sharing *sh, struct workers *w)
{
	struct session *s = sh->s;

	if (!traces_are_there(s->traces))
		return;
	sh->workers = w;
	running_settle(&s->traces->running);
	unordered_run(sh, s->traces->queues.n, hand_queue);
}

int session_deliver_unordered(struct session *s, struct workers *w,
			      const struct unordered_sink *sink, struct diag *diag)
{
	unsigned n = w ? workers_count(w) : 1;
	_cleanup_(freep) struct sample_counts *counts = xcalloc(n, sizeof(*counts));
	struct sharing sh = { .s = s, .workers = w, .sink = sink, .diag = diag, .counts = counts };
	int r = s->scanned ? datafile_rewind(s->file) : session_scan_for(s, false, diag);

	if (r < 0)
		return r;
	r = s->pieces.elsewhere ? share_scanned(&sh) : share_pieces(&sh);
	if (r >= 0 && !unordered_stopped(&sh))
		share_traces(&sh, w);
	progress_finish(s->progress);
	for (unsigned i = 0; i < n; i++) {
		s->counts.records[PERF_RECORD_AUXTRACE_ERROR] += counts[i].trace_errors;
		if (!s->counted)
			sample_counts_merge(&counts[i], &s->counts);
	}
	s->counted = true;
	if (r < 0)
		return r;
	if (session_is_stopped(s))
		return -ECANCELED;
	return atomic_load(&sh.result) < 0 ? atomic_load(&sh.result) : 0;
}
