/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The basic blocks that were run between branches, and the cycles spent in them.
 *
 * A branch that was taken ends a block, which began where the branch before it went to, if that was
 * in the same function. Blocks that end with the same branch are one: the longest of them that was
 * seen. The hardware counts the cycles from one branch to the next.
 */
#include <stddef.h>
#include <stdint.h>

struct frame;
struct image;
struct symbol;

#define BLOCK_START_UNKNOWN UINT64_MAX

/* How often a block took so many cycles: 1, 2 or 3, 4 to 7, ...; the hardware counts to 65,535. */
#define BLOCK_BINS 16

/* Addresses are those of the image's symbols. */
struct branch_block {
	struct image *image;
	const struct symbol *sym;
	uint64_t start; /* or BLOCK_START_UNKNOWN */
	uint64_t end;   /* of the branch itself */
	uint64_t cycles, count;
	uint64_t squares; /* of the cycles, added up: how much they vary */
	/* Of those that begin at @start; 0 if that is not known. */
	uint64_t whole_cycles, whole_count;
	unsigned least, most; /* cycles */
	uint32_t bins[BLOCK_BINS];
};

/* `struct branch_blocks b = { 0 };` has none. */
struct branch_blocks {
	struct branch_block *items;
	size_t n, room;
	uint32_t *slots; /* a hash table over (image, end): index + 1; 0: free */
	size_t n_slots;
	uint64_t seed; /* of base/hash.h */
};

void branch_blocks_done(struct branch_blocks *b);

/*
 * A branch at @end, @cycles after the one before it, which went to @start (NULL: there is none).
 * The frames are of a table that goes by address.
 */
void branch_blocks_add(struct branch_blocks *b, const struct frame *start, const struct frame *end,
		       unsigned cycles);

/* Adds all of @from. */
void branch_blocks_merge(struct branch_blocks *b, const struct branch_blocks *from);

/* The cycles that @b takes on average; and their standard deviation, in percent of that. */
uint64_t branch_block_average(const struct branch_block *b);
double branch_block_deviation(const struct branch_block *b);

/* What a block is of all: its cycles, and those it takes on average, in percent of the sums. */
struct branch_block_shares {
	double cycles, average;
};

/* Sums of all blocks, which shares are of. */
struct branch_block_sums {
	uint64_t cycles, averages;
};

struct branch_block_sums branch_blocks_sum(const struct branch_blocks *b);
struct branch_block_shares branch_block_shares(const struct branch_block *b,
					       const struct branch_block_sums *of);

/* Puts the blocks with the most cycles first; among equals lower addresses. Nothing may follow. */
void branch_blocks_sort(struct branch_blocks *b);
