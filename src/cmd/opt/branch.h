/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Taken-branch stacks: -b and -j, for every command that samples.
 */
#include <stdint.h>

#include "cli/option.h"

struct branch_opts {
	uint64_t filter; /* PERF_SAMPLE_BRANCH_*; 0: no branch stacks */
};

/* Rows over a struct branch_opts, with a heading. */
extern const struct option branch_options[];
