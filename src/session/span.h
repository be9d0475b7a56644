/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The times for which a result is valid, from one time on and before another; and, if the result
 * was for an address, the range of addresses for which it is the same.
 *
 * It is final once the side-band of the whole file is known (session_scan()). While a stream is
 * read, more may become known; then machine_generation() changes.
 */
#include <stdbool.h>
#include <stdint.h>

struct span {
	uint64_t from, until; /* 0: from the beginning; UINT64_MAX: without end */
	uint64_t start, end;  /* UINT64_MAX: no end */
};

#define SPAN_ALWAYS ((struct span){ .until = UINT64_MAX, .end = UINT64_MAX })

/* True if the result of @span is valid at @time too. 0 means the end, as everywhere. */
static inline bool span_has(const struct span *span, uint64_t time)
{
	bool for_ever = span->until == UINT64_MAX;

	return time ? time >= span->from && (time < span->until || for_ever) : for_ever;
}

/* Narrows @span to the times not before @from. */
static inline void span_since(struct span *span, uint64_t from)
{
	span->from = from > span->from ? from : span->from;
}

/* Narrows @span to the times before @until. */
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
