/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How many taken branches there were of each kind, and how far they went. A plain value.
 *
 * Only branches whose kind was recorded count: with `record -j any,save_type`, or where the
 * hardware tells.
 */
#include <stdint.h>

#include "wire/branch.h"

struct branch;

struct branch_stats {
	uint64_t kinds[BRANCH_KINDS]; /* by enum branch_kind */
	uint64_t forward, backward;   /* of those with a condition */
	uint64_t cross_4k, cross_2m;  /* to another page; and to another huge page, not in both */
};

void branch_stats_add(struct branch_stats *s, const struct branch *b);
void branch_stats_merge(struct branch_stats *s, const struct branch_stats *from);

/* All branches that counted. */
uint64_t branch_stats_total(const struct branch_stats *s);
