/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which rows and branches are open. They are known by numbers that do not change when the data is
 * read anew: hashes of what they are called, and of what is above them.
 *
 * All are closed at first, or open after fold_set_all(). What was said of a single one holds until
 * the next word about all of them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/u64-map.h"

struct fold_set {
	struct u64_map said;
	bool all_open;
};

void fold_set_done(struct fold_set *f);

/* Opens or closes everything, and forgets what was said of single ones. */
void fold_set_all(struct fold_set *f, bool open);

/* A row: opened by itself, or with all that is below it. */
bool fold_set_is_open(const struct fold_set *f, uint64_t row);
void fold_set_open(struct fold_set *f, uint64_t row, bool open);

/* Opens or closes @row with everything below it, whatever was said of that. */
void fold_set_deep(struct fold_set *f, uint64_t row, bool open);

/* A branch below @row. */
bool fold_set_branch_is_open(const struct fold_set *f, uint64_t row, uint64_t branch);
void fold_set_open_branch(struct fold_set *f, uint64_t row, uint64_t branch, bool open);
