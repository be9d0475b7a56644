/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Advice for people who look at a report: one sentence each, on what else this perf can do.
 */
#include <stddef.h>
#include <stdint.h>

/* One of the tips, the same for the same @seed; neighbours give different ones. */
const char *tip_choose(uint64_t seed);

/* The same among those of at most @columns columns; where all are longer, the shortest. */
const char *tip_choose_within(uint64_t seed, size_t columns);

/* All of them. */
const char *const *tips(size_t *ret_n);
