/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The cells of a page: sorted, and those that are alike added up.
 */
#include <stddef.h>
#include <stdint.h>

struct page;

/* Sorts by task, bin, node, where and place, and makes one of equal cells. */
void page_cells_merge(struct page *p);

/* Makes bins of time twice as wide. Of merged cells. */
void page_cells_halve_bins(struct page *p);

/* Moves what lies at each node to @nodes[node]. Of merged cells. */
void page_cells_move(struct page *p, const uint32_t *nodes);
