/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The samples in a stretch of whole records, one after the other.
 *
 * Only their headers, times and ids are read. Any number of walks may take place at the same time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/sample.h"

struct delivered;
struct events;
struct session_counts;

/* Counts of samples; each thread has its own. */
struct sample_counts {
	uint64_t samples, unknown_ids, malformed;
	uint64_t first_time, last_time; /* 0: no sample had a time */
	uint64_t trace_errors;          /* errors in decoded hardware traces */
};

struct sample_walk {
	const struct events *events;
	bool swap;
	const uint8_t *bytes; /* whole records; each begins where the one before it ends */
	size_t size;
	uint64_t offset, position; /* for the first byte, as in a raw_record */
	unsigned part;
	size_t at; /* offset of the next byte to walk */
};

/*
 * Gets the next samples, at most @max; returns how many, 0 at the end. If the file shrank in the
 * meantime, bytes that are no record are the end too.
 */
size_t sample_walk_next(struct sample_walk *w, struct delivered *items, size_t max,
			struct sample_counts *counts);

/* Adds a sample. @whole: it is long enough for its layout. @known: its event is known. */
static inline void sample_counts_add(struct sample_counts *c, bool whole, bool known, uint64_t time)
{
	c->malformed += !whole;
	c->samples += whole;
	c->unknown_ids += whole && !known;
	if (time && (!c->first_time || time < c->first_time))
		c->first_time = time;
	if (time > c->last_time && time != SAMPLE_TIME_SUM)
		c->last_time = time;
}

/* Adds @c to @to. */
void sample_counts_merge(const struct sample_counts *c, struct session_counts *to);
