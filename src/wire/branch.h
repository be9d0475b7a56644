/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The flags word of a taken branch: the bit fields of the kernel's struct perf_branch_entry.
 */
#include <stdint.h>

enum {
	BRANCH_MISPREDICTED = 1 << 0,
	BRANCH_PREDICTED = 1 << 1,
	BRANCH_IN_TX = 1 << 2,
	BRANCH_ABORT = 1 << 3,
};

/* The kind of instruction: `type`, or, after those values, `new_type`. */
enum branch_kind {
	BRANCH_UNKNOWN = 0,
	BRANCH_CONDITIONAL = 1,
	BRANCH_NEWER = 16,
	BRANCH_KINDS = 32,
};

/* Returns the cycles since the previous branch; 0: not measured. */
static inline unsigned branch_cycles(uint64_t flags)
{
	return (unsigned)(flags >> 4 & 0xffff);
}

static inline unsigned branch_kind(uint64_t flags)
{
	unsigned type = (unsigned)(flags >> 20 & 15);

	return type < 15 ? type : BRANCH_NEWER + (unsigned)(flags >> 26 & 15);
}
