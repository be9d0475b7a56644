/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The set of CPUs on which a thread may run, on machines of any size: glibc's cpu_set_t ends at
 * 1,024 CPUs, and the kernel refuses to fill a set that is too small.
 */
#include "base/cpu-list.h"

/* Returns the number of CPUs on which the calling thread may run: at least 1. */
unsigned affinity_count(void);

/*
 * Restricts the calling thread to @cpus. Returns a negative errno on failure, and then nothing has
 * changed.
 */
int affinity_set(const struct cpu_list *cpus);
