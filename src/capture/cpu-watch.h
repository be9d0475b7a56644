/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Watches for CPUs that come online or go offline while events are open on the others.
 *
 * A new CPU has no events, and the kernel removes the events of a CPU that goes offline for good
 * (perf_event_exit_cpu()). Both are missing from the measurement, and nothing else would report it.
 */
#include <stdint.h>

#include "base/cpu-list.h"

struct notes;

struct cpu_watch {
	const char *system; /* directory for kernel/topology.h; borrowed */
	int fd;             /* readable: the kernel reports a device; -1: it does not report them */
	struct cpu_list before, came, went;
	uint64_t next_ns;
};

#define CPU_WATCH_NONE ((struct cpu_watch){ .fd = -1 })

/* Notes which CPUs are online in @system now. */
void cpu_watch_begin(struct cpu_watch *w, const char *system);
void cpu_watch_done(struct cpu_watch *w);

/*
 * Processes the kernel's messages, and checks which CPUs are online if a second has passed since
 * the last check; UINT64_MAX: in any case.
 */
void cpu_watch_look(struct cpu_watch *w, uint64_t now_ns);

/* Adds warnings about all CPUs that have come or gone since the beginning. */
void cpu_watch_tell(const struct cpu_watch *w, struct notes *notes);
