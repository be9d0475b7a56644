/* SPDX-License-Identifier: MIT */
#include "hwtrace/time-conversion.h"

/*
 * From perf_event_mmap_page in the kernel's header: the quotient and the remainder of the shift are
 * multiplied separately, so that neither overflows.
 */
uint64_t time_of_ticks(const struct time_conversion *c, uint64_t ticks)
{
	unsigned shift = c->shift & 63;

	if (!c->mult)
		return ticks;
	if (c->is_short)
		ticks = c->cycles + ((ticks - c->cycles) & c->mask);

	uint64_t quotient = ticks >> shift;
	uint64_t rest = ticks & ((UINT64_C(1) << shift) - 1);

	return c->zero + quotient * c->mult + ((rest * c->mult) >> shift);
}

uint64_t ticks_of_time(const struct time_conversion *c, uint64_t ns)
{
	unsigned shift = c->shift & 63;

	if (!c->mult)
		return ns;

	uint64_t t = ns - c->zero;
	uint64_t quotient = t / c->mult;
	uint64_t rest = t % c->mult;

	return (quotient << shift) + (rest << shift) / c->mult;
}
