/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What samples weigh: how many they are, and the sum of their periods. A plain value.
 */
#include <stdint.h>

struct weight {
	uint64_t period, samples;
};

static inline void weight_add(struct weight *to, struct weight w)
{
	to->period += w.period;
	to->samples += w.samples;
}

static inline void weight_take(struct weight *from, struct weight w)
{
	from->period -= w.period;
	from->samples -= w.samples;
}
