/* SPDX-License-Identifier: MIT */
#pragma once
/* The types that both sides of bpf/counters.h use. */
#include <linux/types.h>

#define COUNTERS_EVENTS_MAX 64

/* The number of nested cgroups that are counted at the same time. */
#define COUNTERS_NESTED_MAX 16

enum {
	COUNTERS_OF_TASKS,
	COUNTERS_OF_CPUS,
	COUNTERS_OF_CGROUPS,
};

struct counters_constants {
	__u32 of;
	__u32 n_events;
	__u32 inherit; /* tasks forked by counted tasks count, too */
};

/* A reading of a counter, or what was counted between two of them. */
struct counters_sum {
	__u64 count, enabled_ns, running_ns;
};

/* A task in the map `tasks`: its slot, and whether it waits for its exec. */
#define COUNTERS_WAITS (1U << 31)

/* The slots for which a CPU counts now, and the cgroup for which these were found. */
struct counters_cpu {
	__u64 cgroup;
	__u32 is_counting; /* the readings were taken when the CPU began to count */
	__u32 n_slots;
	__u32 slots[COUNTERS_NESTED_MAX];
};

/* Commands of the program `control`, as its first argument. */
enum {
	COUNTERS_START,
	COUNTERS_FLUSH, /* adds the counts so far to the sums */
	COUNTERS_STOP,
};

enum {
	COUNTERS_LOST_TASKS, /* the map was full */
	COUNTERS_LOST_READS, /* a counter could not be read */
	COUNTERS_LOSSES,
};
