/* SPDX-License-Identifier: MIT */
#include "session/horizon.h"

#include <stdlib.h>

#include "base/memory.h"
#include "datafile/reader.h"
#include "session/events.h"
#include "session/internal.h"

#define BLOCK_SIZE (UINT64_C(1) << 20)

void horizon_done(struct horizon *h)
{
	free(h->earliest);
	*h = (struct horizon){ 0 };
}

/* True if the next record begins where one with this header ends, and has no records within. */
static bool horizon_is_plain(const struct record_header *h, size_t left)
{
	if (h->size < RECORD_HEADER_SIZE || h->size > left)
		return false;
	switch (h->type) {
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
		return false;
	default:
		return h->type < PERF_RECORD_KERNEL_MAX ? h->size % RECORD_HEADER_SIZE == 0
							: h->type >= PERF_RECORD_USER_FIRST &&
								  h->type < PERF_RECORD_USER_MAX;
	}
}

/* Returns the time by which a record is ordered; UINT64_MAX: it has none. */
static uint64_t horizon_time_of(const struct session *s, const uint8_t *bytes,
				const struct record_header *h)
{
	const struct raw_record raw = { .bytes = bytes, .header = *h };
	const struct session_event *e;
	uint64_t time = 0;

	if (h->type >= PERF_RECORD_USER_FIRST ||
	    !events_place(&s->events, &raw, s->swap, &e, &time))
		return UINT64_MAX;
	return time ? time : UINT64_MAX;
}

/*
 * Walks over the records that begin in block @i, from *@at on. False: there is something else than
 * records.
 */
static bool horizon_walk_block(struct horizon *h, const struct session *s,
			       const struct file_rest *rest, size_t i, size_t *at)
{
	while (*at < rest->size && *at < (i + 1) * BLOCK_SIZE) {
		size_t left = rest->size - *at;
		struct record_header header;
		uint64_t time;

		if (left < RECORD_HEADER_SIZE)
			return false;
		__builtin_prefetch(rest->bytes + *at + 1024);
		header = record_header_at(rest->bytes + *at, s->swap);
		if (!horizon_is_plain(&header, left))
			return false;
		time = horizon_time_of(s, rest->bytes + *at, &header);
		if (time < h->earliest[i])
			h->earliest[i] = time;
		*at += header.size;
	}
	return true;
}

static bool horizon_walk(struct horizon *h, const struct session *s, const struct file_rest *rest)
{
	size_t at = 0;

	for (size_t i = 0; i < h->n; i++) {
		h->earliest[i] = UINT64_MAX;
		if (session_is_stopped(s) || !horizon_walk_block(h, s, rest, i, &at))
			return false;
		datafile_drop(s->file, rest->part, rest->offset + i * BLOCK_SIZE, BLOCK_SIZE);
	}
	return true;
}

void horizon_find(struct horizon *h, const struct session *s)
{
	struct file_rest rest;

	h->is_known = true;
	if (!s->file || !datafile_rest(s->file, &rest))
		return;
	h->from = rest.position;
	h->n = (rest.size + BLOCK_SIZE - 1) / BLOCK_SIZE;
	h->earliest = xcalloc(h->n + 1, sizeof(*h->earliest));
	if (!horizon_walk(h, s, &rest)) {
		h->n = 0;
		return;
	}
	for (size_t i = h->n; i-- > 1;)
		if (h->earliest[i] < h->earliest[i - 1])
			h->earliest[i - 1] = h->earliest[i];
}

uint64_t horizon_at(const struct horizon *h, uint64_t position)
{
	size_t i = (position - h->from) / BLOCK_SIZE;

	return position >= h->from && i < h->n ? h->earliest[i] : 0;
}
