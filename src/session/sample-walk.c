/* SPDX-License-Identifier: MIT */
#include "session/sample-walk.h"

#include "session/events.h"
#include "session/session.h"

/*
 * Fills in a sample. The members are written one by one, because a large file has millions of
 * samples.
 */
static void sample_walk_fill(const struct sample_walk *w, const struct record_header *h,
			     struct delivered *ret)
{
	ret->raw.bytes = w->bytes + w->at;
	ret->raw.header = *h;
	ret->raw.offset = w->offset + w->at;
	ret->raw.position = w->position + w->at;
	ret->raw.payload = NULL;
	ret->raw.payload_size = 0;
	ret->raw.part = w->part;
	ret->raw.decompressed = false;
}

/* Finds the event and time of a sample. A sample that is too short for its layout has neither. */
static void sample_walk_place(const struct sample_walk *w, struct delivered *d,
			      struct sample_counts *counts)
{
	bool whole;

	d->event = NULL;
	d->time = 0;
	whole = events_place(w->events, &d->raw, w->swap, &d->event, &d->time);
	if (d->time == UINT64_MAX)
		d->time = 0;
	sample_counts_add(counts, whole, d->event, d->time);
}

size_t sample_walk_next(struct sample_walk *w, struct delivered *items, size_t max,
			struct sample_counts *counts)
{
	size_t n = 0;

	while (n < max && w->size - w->at >= RECORD_HEADER_SIZE) {
		struct record_header h = record_header_at(w->bytes + w->at, w->swap);

		__builtin_prefetch(w->bytes + w->at + 1024);
		__builtin_prefetch(w->bytes + w->at + 1088);

		if (h.size < RECORD_HEADER_SIZE || h.size > w->size - w->at) {
			w->at = w->size;
			break;
		}
		if (h.type == PERF_RECORD_SAMPLE) {
			sample_walk_fill(w, &h, &items[n]);
			sample_walk_place(w, &items[n++], counts);
		}
		w->at += h.size;
	}
	return n;
}

static void sample_walk_widen(uint64_t *first, uint64_t *last, uint64_t from, uint64_t to)
{
	if (from && (!*first || from < *first))
		*first = from;
	if (to > *last)
		*last = to;
}

void sample_counts_merge(const struct sample_counts *c, struct session_counts *to)
{
	to->samples += c->samples;
	to->unknown_ids += c->unknown_ids;
	to->malformed += c->malformed;
	sample_walk_widen(&to->first_time, &to->last_time, c->first_time, c->last_time);
}
