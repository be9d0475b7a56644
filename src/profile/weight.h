/* SPDX-License-Identifier: MIT */
#pragma once
/* The weight of samples: their number, and the sum of their periods. A plain value. */
#include <stdint.h>

struct weight {
	uint64_t period, samples;
};

static inline void weight_add(struct weight *to, struct weight w)
{
	to->period += w.period;
	to->samples += w.samples;
}

/* Returns the share of @part in @whole, in percent; 0 if @whole is 0. */
static inline double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static inline void weight_take(struct weight *from, struct weight w)
{
	from->period -= w.period;
	from->samples -= w.samples;
}
