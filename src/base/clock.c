/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#define NS_PER_S  1000000000
#define NS_PER_MS 1000000

uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	if (clock_gettime(id, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

int64_t clock_ms(void)
{
	return (int64_t)(clock_ns(CLOCK_MONOTONIC) / NS_PER_MS);
}
