/* SPDX-License-Identifier: MIT */
#pragma once
/* The cells of a page: sorts them and adds up equal ones. */
#include <stddef.h>
#include <stdint.h>

struct page;

/* Sorts by task, bin, node, where and place, and joins equal cells. */
void page_cells_merge(struct page *p);

/* Makes bins of time twice as wide. The cells must be merged. */
void page_cells_halve_bins(struct page *p);

/* Moves the cells of each node to @nodes[node]. The cells must be merged. */
void page_cells_move(struct page *p, const uint32_t *nodes);
