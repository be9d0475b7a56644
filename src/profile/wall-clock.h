/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * All the time of threads, as one event. Samples by a clock stand for the time on the CPU, and
 * `perf record --off-cpu` has measured the time off the CPU.
 *
 * Both are in nanoseconds. Samples by an event other than a clock, such as cycles, stand for the
 * time between two samples at the requested frequency.
 */
#include <stdint.h>

struct diag;
struct session;
struct session_event;

#define WALL_CLOCK_OFF_CPU "offcpu-time"
#define WALL_CLOCK_NAME    "wall-clock"

struct wall_clock {
	const struct session_event *on, *off;
	uint64_t ns_per_sample; /* for @on; 0: its periods are nanoseconds */
};

/*
 * Finds the two events of @s; the events of a stream must be known. -ENODATA with @diag, which may
 * be NULL: one of them does not exist.
 */
int wall_clock_find(const struct session *s, struct wall_clock *ret, struct diag *diag);
