/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Compares basic blocks of several recordings with those of the first: the cycles that a block
 * takes on average now, minus those it took in the baseline.
 *
 * Blocks are the same if they reach from the same place to the same place of functions that are the
 * same (tools/diff/diff-model.h). The recordings were collected with their blocks
 * (profile/branch-blocks.h), and by image and function. Blocks of functions without a sample are
 * left out.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/branch-blocks.h"
#include "tools/diff/diff-model.h"

struct diff_cycles_row {
	const struct diff_row *row; /* the row of the function */
	/* By side, the baseline's first, which always exists; NULL: the side has no such block. */
	const struct branch_block **blocks;
};

struct diff_cycles {
	const struct diff *diff;
	struct diff_cycles_row *rows; /* sorted by the size of the change in side @order */
	size_t n;
	/* private: */
	const struct branch_block **blocks;
};

/* Compares the blocks of the sides of @d, which is borrowed. */
struct diff_cycles *diff_cycles_new(const struct diff *d);
void diff_cycles_free(struct diff_cycles *c);
DEFINE_FREEP(diff_cycles)

/* Returns the cycles of the block in @side, where it must exist, minus those of the baseline. */
int64_t diff_cycles_change(const struct diff_cycles_row *row, size_t side);
