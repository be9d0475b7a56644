/* SPDX-License-Identifier: MIT */
#pragma once
/* What both sides of bpf/counters.h see. */
#include <linux/types.h>

#define COUNTERS_EVENTS_MAX 64

/* Cgroups within each other that are counted at the same time. */
#define COUNTERS_NESTED_MAX 16

enum {
	COUNTERS_OF_TASKS,
	COUNTERS_OF_CPUS,
	COUNTERS_OF_CGROUPS,
};

struct counters_constants {
	__u32 of;
	__u32 n_events;
	__u32 inherit; /* what tasks fork counts, too */
};

/* A reading of a counter, or what was counted between two of them. */
struct counters_sum {
	__u64 count, enabled_ns, running_ns;
};

/* A task in the map `tasks`: its slot, and whether it waits for its exec. */
#define COUNTERS_WAITS (1U << 31)

/* What a CPU counts for now: slots, and the cgroup that these were found for. */
struct counters_cpu {
	__u64 cgroup;
	__u32 is_counting; /* the readings are those of the moment when it began to count */
	__u32 n_slots;
	__u32 slots[COUNTERS_NESTED_MAX];
};

/* Commands of the program `control`, as its first argument. */
enum {
	COUNTERS_START,
	COUNTERS_FLUSH, /* what was counted so far is added to the sums */
	COUNTERS_STOP,
};

enum {
	COUNTERS_LOST_TASKS, /* the map was full */
	COUNTERS_LOST_READS, /* a counter could not be read */
	COUNTERS_LOSSES,
};
