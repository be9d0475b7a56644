/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The lines behind the tables of `perf sched` that say what went wrong, in the form of Linux's
 * perf.
 */
#include <stdint.h>
#include <stdio.h>

struct session_counts;

struct sched_info {
	uint64_t wakeups;       /* what the following two are parts of; */
	uint64_t early_wakeups; /* that are older than what they follow, */
	uint64_t switch_bugs;   /* and CPUs that another task left than had come */
	uint64_t n_records;     /* of the whole recording */
	uint64_t lost_events;   /* that the kernel had no room for, */
	uint64_t lost_chunks;   /* and how often */
};

/* What was read and lost; wake-ups are left 0. */
struct sched_info sched_info_of(const struct session_counts *c);

/* Prints a line for each that is not 0. */
void sched_info_print(FILE *out, const struct sched_info *info);
