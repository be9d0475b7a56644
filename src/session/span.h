/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The times for which an answer holds, from one on and before another, and, if the answer was
 * about an address, the range of addresses for which it is the same.
 *
 * Final once the side-band of the whole file is known (session_scan()). While a stream is read,
 * more may become known; then machine_generation() changes.
 */
#include <stdbool.h>
#include <stdint.h>

struct span {
	uint64_t from, until; /* 0: from the beginning; UINT64_MAX: for ever */
	uint64_t start, end;  /* UINT64_MAX: no end */
};

#define SPAN_ALWAYS ((struct span){ .until = UINT64_MAX, .end = UINT64_MAX })

/* Does the answer of @span hold at @time, too? 0 asks for the end, as everywhere. */
static inline bool span_has(const struct span *span, uint64_t time)
{
	bool for_ever = span->until == UINT64_MAX;

	return time ? time >= span->from && (time < span->until || for_ever) : for_ever;
}

/* Narrows @span to what is not before @from. */
static inline void span_since(struct span *span, uint64_t from)
{
	span->from = from > span->from ? from : span->from;
}

/* Narrows @span to what is before @until. */
static inline void span_before(struct span *span, uint64_t until)
{
	span->until = until < span->until ? until : span->until;
}

/* Narrows the addresses of @span to those within [@start, @end). */
static inline void span_within(struct span *span, uint64_t start, uint64_t end)
{
	span->start = start > span->start ? start : span->start;
	span->end = end < span->end ? end : span->end;
}
