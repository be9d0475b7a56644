/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The core, cluster, die, socket and node of each CPU: plain data that sysfs (kernel/topology.h)
 * and the header of a perf.data file both fill in.
 */
#include <stddef.h>

/* The maximum number of cache levels. No machine has more. */
#define TOPOLOGY_CACHES 5

struct cpu_place {
	unsigned cpu;
	int socket, die, cluster, core, node; /* -1: not known */
	int cache[TOPOLOGY_CACHES]; /* by level: the first CPU that shares the unified or data cache
				     */
};

struct topology {
	struct cpu_place *items; /* the online CPUs, ascending */
	size_t n, room;
};

/* Returns the place of @cpu, or NULL. O(log n). */
const struct cpu_place *topology_find(const struct topology *t, unsigned cpu);

void topology_done(struct topology *t);
