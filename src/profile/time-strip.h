/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The number of samples over time: a row of bins, which are wide enough to be few.
 *
 * Times come in any order, and the last one is not known before it comes. If a time does not fit,
 * bins become twice as wide. So a strip needs a fixed amount of memory, and strips of several
 * workers, whose bins differ by powers of two, can be added.
 */
#include <stdint.h>

#define TIME_STRIP_BINS 1024

struct time_strip {
	uint64_t start;       /* start of the first bin: a multiple of the width */
	uint64_t width;       /* a bin's width in ns, a power of two; 0: nothing was added */
	uint64_t first, last; /* the earliest and latest time that was added */
	uint64_t bins[TIME_STRIP_BINS];
};

/* Adds @weight at @time_ns; 0 means no time and is skipped. A sum ends at UINT64_MAX. */
void time_strip_add(struct time_strip *s, uint64_t time_ns, uint64_t weight);

/* Adds all of @from. */
void time_strip_merge(struct time_strip *s, const struct time_strip *from);

/*
 * Returns the weight of the bins that begin in [@start, @end), so that adjacent ranges have each
 * bin once; UINT64_MAX: up to the end.
 */
uint64_t time_strip_weight(const struct time_strip *s, uint64_t start, uint64_t end);
