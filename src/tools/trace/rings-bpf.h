/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads the rings of all CPUs in order of time.
 *
 * Each ring is in order already. The next record is the oldest of all first ones, unless there is
 * an empty ring in which an older one may still appear: a program has read the clock, but has not
 * finished writing. After a few milliseconds no older records can appear.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/trace/bpf-types.h"

/*
 * The maximum time that a program takes from reading the clock to the end of its record, including
 * interrupts.
 */
#define TRACE_HORIZON_NS UINT64_C(5000000)

struct trace_rings;

/*
 * Reads @n rings of @ring_size bytes. They begin @stride bytes apart at @memory and belong to the
 * caller.
 */
struct trace_rings *trace_rings_new(void *memory, size_t n, size_t stride, size_t ring_size);
void trace_rings_free(struct trace_rings *r);
DEFINE_FREEP(trace_rings)

/*
 * Copies the current contents of rings whose old records are overwritten; the copy is read next.
 * Records that were read before are omitted. Programs may continue to write.
 */
void trace_rings_snapshot(struct trace_rings *r);

/* Returns the sum of the rings' triggers. */
uint64_t trace_rings_triggers(const struct trace_rings *r);

/*
 * Passes the records from before @before_ns to @take, with their size and CPU. @now_ns is the
 * current time: records that are too new to be in order are left for later. UINT64_MAX: there are
 * no writers any more. @take returns 0 to go on; any other result ends the reading and is returned.
 */
int trace_rings_read(struct trace_rings *r, uint64_t now_ns, uint64_t before_ns,
		     int (*take)(void *arg, const struct trace_record *record, size_t size,
				 unsigned cpu),
		     void *arg);

/*
 * Returns the number of records that did not fit, or could not be read, and that no TRACE_LOST
 * record has reported.
 */
uint64_t trace_rings_lost_untold(const struct trace_rings *r);

/* Returns the total number of records that did not fit or could not be read. */
uint64_t trace_rings_lost(const struct trace_rings *r);
