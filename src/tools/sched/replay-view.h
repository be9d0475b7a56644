/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the results of `perf sched replay`, in the form of Linux's perf. */
#include <stdint.h>
#include <stdio.h>

struct sched_replay;

/* Overheads in nanoseconds, as measured by tools/sched/replay-work.h. */
struct sched_overheads {
	uint64_t run_overhead, sleep_overhead, run_test, sleep_test;
};

void sched_overheads_print(FILE *out, const struct sched_overheads *o);

/* Prints the numbers of steps by kind, and the tasks. */
void sched_replay_print(FILE *out, const struct sched_replay *r);

/* Averages in which a round has the weight of one of @repeat. */
struct sched_averages {
	double wall_ms, cpu_ms;
	uint64_t n; /* the number of rounds so far */
};

/* Adds a round, and prints its line. */
void sched_round_print(FILE *out, struct sched_averages *a, uint64_t repeat, uint64_t wall_ns,
		       uint64_t cpu_ns);
