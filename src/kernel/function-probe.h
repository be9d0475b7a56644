/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Probes at the entry and the return of a kernel function that are not events in tracefs: they
 * exist as long as the descriptor from perf_event_open() (the PMU `kprobe`).
 */
#include <stdbool.h>

struct attr;
struct diag;

/*
 * Fills in *@ret for @function, which has to live as long as *@ret. -EOPNOTSUPP with @diag: the
 * kernel has no such probes. @devices: the directory of PMUs, NULL for the usual one.
 */
int function_probe_attr(const char *devices, const char *function, bool at_return, struct attr *ret,
			struct diag *diag);
