/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counts of each thread until it ended, by event: the table of `record -s` and `report -T`.
 *
 * Threads and events are in the order of their first count in time.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/u64-map.h"

struct session;
struct session_event;

struct thread_count {
	uint32_t pid, tid;
};

struct thread_counts {
	struct {
		const struct session_event **items;
		size_t n, room;
	} columns;
	struct {
		struct thread_count *items;
		size_t n, room;
	} rows;
	/* Values by row and column. A full table could be far larger than the recording. */
	struct u64_map cells;
	struct arena arena;
};

/* Sums up the records of @s. All of them must have been delivered or scanned. */
struct thread_counts *thread_counts_new(const struct session *s);
void thread_counts_free(struct thread_counts *t);
DEFINE_FREEP(thread_counts)

/* Returns the count of event @column in thread @row, or 0 if there is none. */
uint64_t thread_counts_value(const struct thread_counts *t, size_t row, size_t column);
