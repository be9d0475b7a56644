/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The CPUs that a thread may run on, on machines of any size: glibc's cpu_set_t ends at 1,024 CPUs,
 * and the kernel refuses to fill a set that is too small.
 */
#include "base/cpu-list.h"

/* How many CPUs the calling thread may run on: at least 1. */
unsigned affinity_count(void);

/* The calling thread runs on @cpus only. A negative errno, and nothing changes, if it cannot. */
int affinity_set(const struct cpu_list *cpus);
