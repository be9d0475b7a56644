/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * CPUs that come online or go offline while events are open on those that were there.
 *
 * A CPU that comes has no events, and the kernel removes those of a CPU that goes for good
 * (perf_event_exit_cpu()): both are missing in what is measured, and nothing else would tell.
 */
#include <stdint.h>

#include "base/cpu-list.h"

struct notes;

struct cpu_watch {
	const char *system; /* kernel/topology.h; borrowed */
	int fd;             /* readable: the kernel tells of a device; -1: it does not tell us */
	struct cpu_list before, came, went;
	uint64_t next_ns;
};

#define CPU_WATCH_NONE ((struct cpu_watch){ .fd = -1 })

/* Notes which CPUs are online in @system now. */
void cpu_watch_begin(struct cpu_watch *w, const char *system);
void cpu_watch_done(struct cpu_watch *w);

/*
 * Takes what the kernel has told, and looks at what is online if a second has passed since;
 * UINT64_MAX: in any case.
 */
void cpu_watch_look(struct cpu_watch *w, uint64_t now_ns);

/* Warns of all that have come or gone since the beginning. */
void cpu_watch_tell(const struct cpu_watch *w, struct notes *notes);
