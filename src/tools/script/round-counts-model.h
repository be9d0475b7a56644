/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counts of a recording by `perf stat record` as they stand at the end of each round, for each
 * event, thread and CPU: what `perf script` shows of it and hands to scripts.
 *
 * Counts that were to be summed up over all CPUs and threads (perf stat without --per-core and the
 * like) are those of the file, which go on from round to round; their sum is of the round alone.
 * Others are of the round, and scaled to the whole time where the event was not always counted.
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

/* @s is borrowed; its events are looked at with the first counts. */
struct round_counts *round_counts_new(const struct session *s);
void round_counts_free(struct round_counts *c);
DEFINE_FREEP(round_counts)

/*
 * Takes in STAT_CONFIG, THREAD_MAP, CPU_MAP and STAT, and passes over all else. True at a
 * STAT_ROUND that ends a round with counts: they stay as they are until the next record.
 */
bool round_counts_record(struct round_counts *c, const struct record *r);

/* Events, and counts of each: threads, and of each thread CPUs. */
size_t round_counts_events(const struct round_counts *c);
size_t round_counts_cells(const struct round_counts *c);
struct round_count round_counts_get(const struct round_counts *c, size_t event, size_t cell);

/* Whether they were to be summed up, and the sum for an event. */
bool round_counts_summed(const struct round_counts *c);
struct round_count round_counts_sum(const struct round_counts *c, size_t event);
