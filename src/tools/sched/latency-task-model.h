/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What sched/latency.h keeps of a task: shared by its files.
 */
#include <stdint.h>

/* TASK_COMM_LEN of the kernel, and a NUL in case a record has none. */
#define TASK_COMM_SIZE 17

enum sched_latency_phase {
	PHASE_UNKNOWN, /* nothing was seen of it yet */
	PHASE_ASLEEP,
	PHASE_READY, /* waits for a CPU */
	PHASE_RUNNING,
	PHASE_UNORDERED, /* came before it was ready: events are not in order of time */
};

struct sched_latency_task {
	uint32_t tid;
	enum sched_latency_phase phase;
	uint64_t out;   /* when it left a CPU last, or was first seen */
	uint64_t ready; /* since when it waits */
	uint64_t until; /* a new task has its number from then on; UINT64_MAX: none */
	uint64_t run_ns;
	uint64_t n, sum_ns;
	uint64_t max_ns, max_begin, max_end;
	char comm[TASK_COMM_SIZE]; /* as events told it last, with keeps_names; else "" */
};
