/* SPDX-License-Identifier: MIT */
#include "profile/branch-blocks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "profile/frames.h"
#include "profile/weight.h"
#include "symbol/symbolizer.h"

#define SLOTS_MIN 256 /* a power of two */

void branch_blocks_done(struct branch_blocks *b)
{
	free(b->items);
	free(b->slots);
	*b = (struct branch_blocks){ 0 };
}

static uint32_t *branch_blocks_slot_of(struct branch_blocks *b, const struct image *image,
				       uint64_t end)
{
	uint64_t h = hash_u64(b->seed, hash_u64(b->seed, (uintptr_t)image) ^ end);
	size_t i = (size_t)h & (b->n_slots - 1);

	while (b->slots[i] &&
	       (b->items[b->slots[i] - 1].end != end || b->items[b->slots[i] - 1].image != image))
		i = (i + 1) & (b->n_slots - 1);
	return &b->slots[i];
}

static void branch_blocks_grow(struct branch_blocks *b)
{
	free(b->slots);
	b->n_slots = b->n_slots ? b->n_slots * 2 : SLOTS_MIN;
	b->seed = hash_seed();
	b->slots = xcalloc(b->n_slots, sizeof(*b->slots));
	for (uint32_t i = 0; i < b->n; i++)
		*branch_blocks_slot_of(b, b->items[i].image, b->items[i].end) = i + 1;
}

static size_t branch_blocks_bin_of(unsigned cycles)
{
	size_t bin = 31 - (size_t)__builtin_clz(cycles);

	return bin < BLOCK_BINS ? bin : BLOCK_BINS - 1;
}

static void profile_branch_blocks_add(struct branch_blocks *b, const struct branch_block *block)
{
	struct branch_block *known;
	uint32_t *slot;

	if (b->n * 2 >= b->n_slots)
		branch_blocks_grow(b);
	slot = branch_blocks_slot_of(b, block->image, block->end);
	if (!*slot) {
		*ARRAY_ADD(b) = *block;
		*slot = (uint32_t)b->n;
		return;
	}
	known = &b->items[*slot - 1];
	known->cycles += block->cycles;
	known->count += block->count;
	known->squares += block->squares;
	for (size_t i = 0; i < BLOCK_BINS; i++)
		known->bins[i] += block->bins[i];
	if (block->least < known->least)
		known->least = block->least;
	if (block->most > known->most)
		known->most = block->most;
	if (block->start < known->start) {
		known->start = block->start;
		known->whole_cycles = known->whole_count = 0;
	}
	if (block->start == known->start) {
		known->whole_cycles += block->whole_cycles;
		known->whole_count += block->whole_count;
	}
}

void branch_blocks_add(struct branch_blocks *b, const struct frame *start, const struct frame *end,
		       unsigned cycles)
{
	struct branch_block block;
	bool is_known;

	if (!end->sym || !cycles)
		return;
	is_known = start && start->image == end->image && start->sym == end->sym &&
		   start->addr < end->addr;
	block = (struct branch_block){
		.image = end->image,
		.sym = end->sym,
		.start = is_known ? start->addr : BLOCK_START_UNKNOWN,
		.end = end->addr,
		.cycles = cycles,
		.count = 1,
		.squares = (uint64_t)cycles * cycles,
		.whole_cycles = is_known ? cycles : 0,
		.whole_count = is_known,
		.least = cycles,
		.most = cycles,
	};
	block.bins[branch_blocks_bin_of(cycles)] = 1;
	profile_branch_blocks_add(b, &block);
}

void branch_blocks_merge(struct branch_blocks *b, const struct branch_blocks *from)
{
	for (size_t i = 0; i < from->n; i++)
		profile_branch_blocks_add(b, &from->items[i]);
}

uint64_t branch_block_average(const struct branch_block *b)
{
	return b->cycles / b->count;
}

double branch_block_deviation(const struct branch_block *b)
{
	double n = (double)b->count, mean = (double)b->cycles / n;
	double variance = n > 1 ? ((double)b->squares - n * mean * mean) / (n - 1) : 0;

	return variance > 0 ? 100 * sqrt(variance) / mean : 0;
}

struct branch_block_sums branch_blocks_sum(const struct branch_blocks *b)
{
	struct branch_block_sums sums = { 0 };

	for (size_t i = 0; i < b->n; i++) {
		sums.cycles += b->items[i].cycles;
		sums.averages += branch_block_average(&b->items[i]);
	}
	return sums;
}

struct branch_block_shares branch_block_shares(const struct branch_block *b,
					       const struct branch_block_sums *of)
{
	return (struct branch_block_shares){
		.cycles = percent_of(b->cycles, of->cycles),
		.average = percent_of(branch_block_average(b), of->averages),
	};
}

static int branch_blocks_compare(const void *pa, const void *pb)
{
	const struct branch_block *a = pa, *b = pb;

	if (a->cycles != b->cycles)
		return a->cycles > b->cycles ? -1 : 1;
	if (a->image != b->image)
		return strcmp(image_long_name(a->image), image_long_name(b->image));
	return a->end < b->end ? -1 : a->end > b->end;
}

void branch_blocks_sort(struct branch_blocks *b)
{
	if (b->n)
		qsort(b->items, b->n, sizeof(*b->items), branch_blocks_compare);
	free(b->slots);
	b->slots = NULL;
	b->n_slots = 0;
}
