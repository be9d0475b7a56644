/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records beside the samples: what the kernel tells of tasks, mappings, cgroups and switches, and
 * what is synthesised from /proc about those that were there before.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"
#include "cmd/opt/value.h"

enum {
	SYNTH_TASK = 1 << 0,
	SYNTH_MMAP = 1 << 1,
	SYNTH_CGROUP = 1 << 2,
	SYNTH_ALL = (1 << 3) - 1,
};

struct synth_choice {
	bool given;     /* otherwise everything */
	unsigned types; /* SYNTH_*; none with --synth no */
};

struct sideband_opts {
	bool namespaces;
	bool all_cgroups;
	enum choice switch_events;
	bool no_bpf_event;
	bool tail_synthesize;
	struct synth_choice synth;
};

/* Rows over a struct sideband_opts, with a heading. */
extern const struct option sideband_options[];
