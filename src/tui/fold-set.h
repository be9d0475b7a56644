/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows and branches that are open. They are identified by numbers that do not change when the
 * data is read again: hashes of their names, and of the names above them.
 *
 * All are closed at first, or open after fold_set_all(). The state of a single one holds until the
 * next change of all of them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/u64-map.h"

struct fold_set {
	struct u64_map said;
	bool all_open;
};

void fold_set_done(struct fold_set *f);

/* Opens or closes everything, and forgets the states of single ones. */
void fold_set_all(struct fold_set *f, bool open);

/* A row: opened alone, or with everything below it. */
bool fold_set_is_open(const struct fold_set *f, uint64_t row);
void fold_set_open(struct fold_set *f, uint64_t row, bool open);

/* Opens or closes @row with everything below it, whatever its previous states are. */
void fold_set_deep(struct fold_set *f, uint64_t row, bool open);

/* A branch below @row. */
bool fold_set_branch_is_open(const struct fold_set *f, uint64_t row, uint64_t branch);
void fold_set_open_branch(struct fold_set *f, uint64_t row, uint64_t branch, bool open);
