/* SPDX-License-Identifier: MIT */
#include "base/affinity.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "base/memory.h"

#define SET_BYTES CPU_ALLOC_SIZE(CPU_MAX)

unsigned affinity_count(void)
{
	cpu_set_t *set = xcalloc(1, SET_BYTES);
	int n = sched_getaffinity(0, SET_BYTES, set) < 0 ? 1 : CPU_COUNT_S(SET_BYTES, set);

	free(set);
	return n > 1 ? (unsigned)n : 1;
}

int affinity_set(const struct cpu_list *cpus)
{
	cpu_set_t *set = xcalloc(1, SET_BYTES);
	int r;

	for (size_t i = 0; i < cpus->n && cpus->items[i] < CPU_MAX; i++)
		CPU_SET_S(cpus->items[i], SET_BYTES, set);
	r = sched_setaffinity(0, SET_BYTES, set) < 0 ? -errno : 0;
	free(set);
	return r;
}
