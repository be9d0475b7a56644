/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Basic blocks of several recordings held against those of the first: the cycles that a block takes
 * on average now, less those it took then.
 *
 * Blocks are the same if they reach from the same place to the same place of functions that are the
 * same (tools/diff/diff-model.h); the recordings were collected with their blocks
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
	const struct diff_row *row; /* of the function */
	/* By side, the baseline's first, which there is; NULL: it has no such block. */
	const struct branch_block **blocks;
};

struct diff_cycles {
	const struct diff *diff;
	struct diff_cycles_row *rows; /* sorted by the size of the change in @order's side */
	size_t n;
	/* private: */
	const struct branch_block **blocks;
};

/* Compares the blocks of the sides of @d, which is borrowed. */
struct diff_cycles *diff_cycles_new(const struct diff *d);
void diff_cycles_free(struct diff_cycles *c);
DEFINE_FREEP(diff_cycles)

/* The cycles of the block in @side less those of the baseline; it is there. */
int64_t diff_cycles_change(const struct diff_cycles_row *row, size_t side);
