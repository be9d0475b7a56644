/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which nodes of a tally have samples that pass the filters by task, CPU and image.
 *
 * Filters by symbol are no part of it: what has no name cannot pass them, and is why they find
 * nothing.
 */
#include <stdbool.h>
#include <stddef.h>

struct frames;
struct sample_filter;
struct tally;

/*
 * A bool for each node of the stacks of @t, whose contexts are those of @n_keys keys; @filter may
 * be NULL. The caller frees it.
 */
bool *shown_nodes(const struct tally *t, size_t n_keys, const struct frames *frames,
		  const struct sample_filter *filter);
