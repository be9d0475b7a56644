/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf sched replay` prints, in the form of Linux's perf.
 */
#include <stdint.h>
#include <stdio.h>

struct sched_replay;

/* Nanoseconds, as tools/sched/replay-work.h measures them. */
struct sched_overheads {
	uint64_t run_overhead, sleep_overhead, run_test, sleep_test;
};

void sched_overheads_print(FILE *out, const struct sched_overheads *o);

/* The steps by kind, and the tasks. */
void sched_replay_print(FILE *out, const struct sched_replay *r);

/* Averages in which a round counts as much as one of @repeat. */
struct sched_averages {
	double wall_ms, cpu_ms;
	uint64_t n; /* rounds so far */
};

/* Adds a round, and prints its line. */
void sched_round_print(FILE *out, struct sched_averages *a, uint64_t repeat, uint64_t wall_ns,
		       uint64_t cpu_ns);
