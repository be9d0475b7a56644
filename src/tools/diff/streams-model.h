/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Hot streams: the sequences of branches along which samples came most often, and which streams of
 * two recordings are the same.
 *
 * A stream is a stack of branches (profile/branch-history.h) without the callers after them. The
 * tally was collected with history, notes and ROW_NEEDS_BRANCHES, by address.
 */
#include <stddef.h>
#include <stdint.h>

struct frames;
struct tally;

#define STREAMS_MAX 5 /* the number compared for each recording */

struct stream {
	uint64_t period;  /* the period of its samples */
	uint64_t cycles;  /* from its first branch to its last, on average */
	uint32_t *frames; /* the newest branch first, each as its target and its source */
	size_t n;
};

struct streams {
	struct stream items[STREAMS_MAX]; /* the hottest first */
	size_t n;
	uint64_t whole; /* the period of all streams, including those not listed */
};

/* Finds the hottest streams of @t. Free them with streams_done(). */
void streams_find(struct streams *s, const struct tally *t);
void streams_done(struct streams *s);

#define STREAM_NONE SIZE_MAX

/*
 * Matches the streams of @a, whose frames are of @frames, with those of @b: for each of @a, returns
 * its partner in @b, or STREAM_NONE. They are the same if they go along the same functions, at the
 * same source lines; if a line is not known, at the same distance from the function's beginning.
 */
void streams_match(const struct streams *a, const struct streams *b, const struct frames *frames,
		   size_t ret[STREAMS_MAX]);
