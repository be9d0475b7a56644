/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counts of taken branches of each kind, and how far they went. A plain value.
 *
 * Only branches whose kind was recorded count: with `record -j any,save_type`, or if the hardware
 * reports it.
 */
#include <stdint.h>

#include "wire/branch.h"

struct branch;

struct branch_stats {
	uint64_t kinds[BRANCH_KINDS]; /* indexed by enum branch_kind */
	uint64_t forward, backward;   /* conditional branches only */
	/* to another 4 KiB page; and to another 2 MiB page, not in both */
	uint64_t cross_4k, cross_2m;
};

void branch_stats_add(struct branch_stats *s, const struct branch *b);
void branch_stats_merge(struct branch_stats *s, const struct branch_stats *from);

/* Returns the number of all branches that were counted. */
uint64_t branch_stats_total(const struct branch_stats *s);
