/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How many samples there are over time: a row of bins, as wide as it must be for them to be few.
 *
 * Times come in any order and nobody knows the last one before it is there: when a time does not
 * fit, bins become twice as wide. So it costs a fixed amount of memory, and strips of several
 * workers, whose bins differ by powers of two, can be added.
 */
#include <stdint.h>

#define TIME_STRIP_BINS 1024

struct time_strip {
	uint64_t start;       /* of the first bin: a multiple of the width */
	uint64_t width;       /* of a bin in ns: a power of two; 0: nothing was added */
	uint64_t first, last; /* times that were added */
	uint64_t bins[TIME_STRIP_BINS];
};

/* Adds @weight at @time_ns; 0, no time, is passed over. A sum ends at UINT64_MAX. */
void time_strip_add(struct time_strip *s, uint64_t time_ns, uint64_t weight);

/* Adds all of @from. */
void time_strip_merge(struct time_strip *s, const struct time_strip *from);

/*
 * What the bins that begin in [@start, @end) weigh, so that ranges side by side have each bin once;
 * UINT64_MAX: up to the end.
 */
uint64_t time_strip_weight(const struct time_strip *s, uint64_t start, uint64_t end);
