/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rings of all CPUs, read in order of time.
 *
 * Each ring is in order already. The next record of all is the oldest of their first ones, unless a
 * ring is empty in which an older one may still appear: a program has taken the time, but has not
 * finished writing. Records that are a few milliseconds old have no older company to come.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/trace/bpf-types.h"

struct trace_rings;

/*
 * Reads @n rings of @ring_size bytes, which begin @stride bytes apart at @memory and stay the
 * caller's.
 */
struct trace_rings *trace_rings_new(void *memory, size_t n, size_t stride, size_t ring_size);
void trace_rings_free(struct trace_rings *r);
DEFINE_FREEP(trace_rings)

/*
 * Of rings whose old records are overwritten: copies what is in them now, as what is read next.
 * Records that were read before are left out. Programs may go on writing.
 */
void trace_rings_snapshot(struct trace_rings *r);

/* The sum of their triggers. */
uint64_t trace_rings_triggers(const struct trace_rings *r);

/*
 * Hands the records from before @before_ns to @take, with their size and CPU. @now_ns: the time, to
 * leave out what is too new to be in order; UINT64_MAX: nobody writes any more. @take returns 0 to
 * go on; anything else ends the reading and is returned.
 */
int trace_rings_read(struct trace_rings *r, uint64_t now_ns, uint64_t before_ns,
		     int (*take)(void *arg, const struct trace_record *record, size_t size,
				 unsigned cpu),
		     void *arg);

/* How many records found no room, or could not be read, without a TRACE_LOST record saying so. */
uint64_t trace_rings_lost_untold(const struct trace_rings *r);

/* How many records found no room or could not be read in all. */
uint64_t trace_rings_lost(const struct trace_rings *r);
