/* SPDX-License-Identifier: MIT */
#include "tui/fold-set.h"

#include "base/hash.h"

/*
 * Bits that are stored for a number in place of a pointer; the lowest is always set. A change of
 * all branches of a row gives the row another generation. Its branches are looked up with the
 * generation, so that older states are not found any more.
 */
#define SAID     ((uintptr_t)1)
#define OPEN     ((uintptr_t)2)
#define DEEP     ((uintptr_t)4)
#define ONE_MORE ((uintptr_t)8)

void fold_set_done(struct fold_set *f)
{
	u64_map_done(&f->said);
	*f = (struct fold_set){ 0 };
}

void fold_set_all(struct fold_set *f, bool open)
{
	fold_set_done(f);
	f->all_open = open;
}

static uintptr_t fold_set_word_of(const struct fold_set *f, uint64_t id)
{
	uintptr_t word = (uintptr_t)u64_map_find(&f->said, id);

	if (word)
		return word;
	return SAID | (f->all_open ? OPEN | DEEP : 0);
}

static void fold_set_say(struct fold_set *f, uint64_t id, uintptr_t word)
{
	u64_map_put(&f->said, id, (void *)word);
}

bool fold_set_is_open(const struct fold_set *f, uint64_t row)
{
	return fold_set_word_of(f, row) & OPEN;
}

void fold_set_open(struct fold_set *f, uint64_t row, bool open)
{
	uintptr_t word = fold_set_word_of(f, row);

	fold_set_say(f, row, open ? word | OPEN : word & ~OPEN);
}

void fold_set_deep(struct fold_set *f, uint64_t row, bool open)
{
	uintptr_t word = (fold_set_word_of(f, row) & ~(OPEN | DEEP)) + ONE_MORE;

	fold_set_say(f, row, open ? word | OPEN | DEEP : word);
}

static uint64_t branch_key(uintptr_t row_word, uint64_t row, uint64_t branch)
{
	uint64_t seed = hash_seed();
	uint64_t key = hash_u64(seed, row ^ (row_word / ONE_MORE));

	return hash_u64(seed, key ^ branch);
}

bool fold_set_branch_is_open(const struct fold_set *f, uint64_t row, uint64_t branch)
{
	uintptr_t row_word = fold_set_word_of(f, row);
	uintptr_t word = (uintptr_t)u64_map_find(&f->said, branch_key(row_word, row, branch));

	return word ? word & OPEN : row_word & DEEP;
}

void fold_set_open_branch(struct fold_set *f, uint64_t row, uint64_t branch, bool open)
{
	fold_set_say(f, branch_key(fold_set_word_of(f, row), row, branch),
		     open ? SAID | OPEN : SAID);
}
