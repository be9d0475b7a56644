/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The recorder's scheduling priority: if it had to wait for the programs that it records, it would
 * lose their records.
 *
 * It needs the CPU for a few milliseconds only, but soon: a ring buffer that is half full when we
 * are woken up is full some ten milliseconds later. Children do not inherit the priority.
 */
#include <stdbool.h>

struct record_priority {
	bool raised;
	int policy, realtime; /* the previous policy and realtime priority */
	int nice;
};

/*
 * Sets the realtime priority @realtime (SCHED_FIFO), or if that is not permitted the highest nice
 * level. Returns a negative errno if neither is permitted.
 */
int record_priority_raise(int realtime, struct record_priority *ret);

/* Restores the previous priority. */
void record_priority_restore(struct record_priority *p);
