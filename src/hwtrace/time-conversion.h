/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts times of a hardware trace, which are ticks of the CPU, to perf's times: the parameters
 * that the kernel gives in perf_event_mmap_page, and that TIME_CONV records.
 */
#include <stdbool.h>
#include <stdint.h>

struct time_conversion {
	uint16_t shift;
	uint32_t mult;
	uint64_t zero;
	uint64_t cycles, mask; /* for counters shorter than 64 bits */
	bool has_zero;         /* without it ticks cannot be converted */
	bool is_short;
};

/* Returns perf's time of @ticks, in nanoseconds; @ticks themselves if there is no conversion. */
uint64_t time_of_ticks(const struct time_conversion *c, uint64_t ticks);

/* Returns the ticks of perf's time @ns. */
uint64_t ticks_of_time(const struct time_conversion *c, uint64_t ns);
