/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counts of a recording by `perf stat record` at the end of each round, for each event, thread
 * and CPU, which `perf script` prints and passes to scripts.
 *
 * Counts that were to be summed up over all CPUs and threads (perf stat without --per-core and
 * similar options) are those of the file, which continue from round to round; their sum is for one
 * round. Other counts are for one round, and scaled to the whole time if the event was not always
 * counted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct record;
struct round_counts;
struct session;

struct round_count {
	int cpu, thread; /* -1: any */
	uint64_t value, enabled, running;
};

/* @s is borrowed. Its events are read with the first counts. */
struct round_counts *round_counts_new(const struct session *s);
void round_counts_free(struct round_counts *c);
DEFINE_FREEP(round_counts)

/*
 * Takes STAT_CONFIG, THREAD_MAP, CPU_MAP and STAT, and ignores other records. True at a STAT_ROUND
 * that ends a round with counts, which are unchanged until the next record.
 */
bool round_counts_record(struct round_counts *c, const struct record *r);

/*
 * Return the number of events, and the number of counts of each: threads, and CPUs of each thread.
 */
size_t round_counts_events(const struct round_counts *c);
size_t round_counts_cells(const struct round_counts *c);
struct round_count round_counts_get(const struct round_counts *c, size_t event, size_t cell);

/* Return whether counts were to be summed up, and the sum for an event. */
bool round_counts_summed(const struct round_counts *c);
struct round_count round_counts_sum(const struct round_counts *c, size_t event);
