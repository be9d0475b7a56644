/* SPDX-License-Identifier: MIT */
#pragma once
/* The state of a task in sched/latency.h, shared by its files. */
#include <stdint.h>

/* TASK_COMM_LEN of the kernel, plus a NUL in case a record has none. */
#define TASK_COMM_SIZE 17

enum sched_latency_phase {
	PHASE_UNKNOWN, /* no event of it was seen yet */
	PHASE_ASLEEP,
	PHASE_READY, /* waits for a CPU */
	PHASE_RUNNING,
	PHASE_UNORDERED, /* events were out of order: it came before it was ready */
};

struct sched_latency_task {
	uint32_t tid;
	enum sched_latency_phase phase;
	uint64_t out;   /* the time it last left a CPU, or was first seen */
	uint64_t ready; /* the time since which it waits */
	uint64_t until; /* its number is reused from then on; UINT64_MAX: it is not */
	uint64_t run_ns;
	uint64_t n, sum_ns;
	uint64_t max_ns, max_begin, max_end;
	char comm[TASK_COMM_SIZE]; /* the last name in events, with keeps_names; else "" */
};
