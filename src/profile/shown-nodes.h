/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the nodes of a tally that have samples which pass the filters by task, CPU and image.
 *
 * Filters by symbol are not used: samples without names cannot pass them, and are the reason why
 * they find nothing.
 */
#include <stdbool.h>
#include <stddef.h>

struct frames;
struct sample_filter;
struct tally;

/*
 * Returns a bool for each node of the stacks of @t, whose contexts are those of @n_keys keys;
 * @filter may be NULL. The caller frees it.
 */
bool *shown_nodes(const struct tally *t, size_t n_keys, const struct frames *frames,
		  const struct sample_filter *filter);
