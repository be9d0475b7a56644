/* SPDX-License-Identifier: MIT */
#pragma once
/* Advice for users of reports: one sentence each, about another feature of this perf. */
#include <stddef.h>
#include <stdint.h>

/*
 * Returns one of the tips, always the same for the same @seed. Neighbouring seeds give different
 * ones.
 */
const char *tip_choose(uint64_t seed);

/*
 * Does the same among the tips of at most @columns columns; if all are longer, returns the
 * shortest.
 */
const char *tip_choose_within(uint64_t seed, size_t columns);

/* Returns all tips. */
const char *const *tips(size_t *ret_n);
