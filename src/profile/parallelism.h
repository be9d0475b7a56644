/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How many threads run at a time, for latencies: a sample stands for its period of CPU time, and
 * for that by the number of running threads of wall-clock time.
 *
 * Counted as Linux's perf 7 does: one thread runs when the recording begins, switches in and out
 * add and take away one, and so do ends of threads. What is answered is at least 1 and at most the
 * number of CPUs.
 */
#include <stdbool.h>
#include <stdint.h>

struct delivered;
struct session;

struct parallelism {
	int64_t running;
	int64_t most; /* CPUs of the machine */
};

void parallelism_init(struct parallelism *p, const struct session *s);

/* RECORD_TYPE_BIT() of the records that it wants to know of, in order of time. */
uint64_t parallelism_types(void);
void parallelism_take(struct parallelism *p, const struct delivered *d);

uint32_t parallelism_now(const struct parallelism *p);

/* Whether the events of @s were recorded with context switches. */
bool parallelism_is_known(const struct session *s);
