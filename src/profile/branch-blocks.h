/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The basic blocks that ran between branches, and the cycles spent in them.
 *
 * A taken branch ends a block. The block began at the target of the branch before it, if that was
 * in the same function. Blocks that end with the same branch are one: the longest of them that was
 * seen. The hardware counts the cycles from one branch to the next.
 */
#include <stddef.h>
#include <stdint.h>

struct frame;
struct image;
struct symbol;

#define BLOCK_START_UNKNOWN UINT64_MAX

/*
 * The number of bins for the cycles of a block: 1, 2 or 3, 4 to 7, ...; the hardware counts to
 * 65,535.
 */
#define BLOCK_BINS 16

/* A block. Addresses are those of the image's symbols. */
struct branch_block {
	struct image *image;
	const struct symbol *sym;
	uint64_t start; /* or BLOCK_START_UNKNOWN */
	uint64_t end;   /* the address of the branch itself */
	uint64_t cycles, count;
	uint64_t squares; /* sum of the squares of the cycles: how much they vary */
	/* Sums over the blocks that begin at @start; 0 if none is known to. */
	uint64_t whole_cycles, whole_count;
	unsigned least, most; /* the least and the most cycles */
	uint32_t bins[BLOCK_BINS];
};

/* `struct branch_blocks b = { 0 };` has none. */
struct branch_blocks {
	struct branch_block *items;
	size_t n, room;
	uint32_t *slots; /* a hash table over (image, end): index + 1; 0: free */
	size_t n_slots;
	uint64_t seed; /* for base/hash.h */
};

void branch_blocks_done(struct branch_blocks *b);

/*
 * Adds the block that a branch at @end has ended, @cycles after the branch before it, whose target
 * is @start (NULL: unknown). The frames are of a table that goes by address.
 */
void branch_blocks_add(struct branch_blocks *b, const struct frame *start, const struct frame *end,
		       unsigned cycles);

/* Adds all of @from. */
void branch_blocks_merge(struct branch_blocks *b, const struct branch_blocks *from);

/*
 * Return the average of the cycles that @b takes, and their standard deviation in percent of the
 * average.
 */
uint64_t branch_block_average(const struct branch_block *b);
double branch_block_deviation(const struct branch_block *b);

/* The shares of a block: its cycles, and its average cycles, in percent of the sums. */
struct branch_block_shares {
	double cycles, average;
};

/* The sums over all blocks, to which shares relate. */
struct branch_block_sums {
	uint64_t cycles, averages;
};

struct branch_block_sums branch_blocks_sum(const struct branch_blocks *b);
struct branch_block_shares branch_block_shares(const struct branch_block *b,
					       const struct branch_block_sums *of);

/*
 * Sorts the blocks, those with the most cycles first; among equals lower addresses first. Nothing
 * may be added afterwards.
 */
void branch_blocks_sort(struct branch_blocks *b);
