/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts how many threads run at a time, for latencies: a sample stands for its period of CPU time,
 * and for that period divided by the number of running threads of wall-clock time.
 *
 * Threads are counted as in Linux's perf 7: one thread runs when the recording begins, switches in
 * and out add and subtract one, and so do ends of threads. The result is at least 1 and at most the
 * number of CPUs.
 */
#include <stdbool.h>
#include <stdint.h>

struct delivered;
struct session;

struct parallelism {
	int64_t running;
	int64_t most; /* number of the machine's CPUs */
};

void parallelism_init(struct parallelism *p, const struct session *s);

/*
 * parallelism_types() returns the RECORD_TYPE_BIT() of the records that parallelism_take() needs,
 * in order of time.
 */
uint64_t parallelism_types(void);
void parallelism_take(struct parallelism *p, const struct delivered *d);

uint32_t parallelism_now(const struct parallelism *p);

/* True if the events of @s were recorded with context switches. */
bool parallelism_is_known(const struct session *s);
