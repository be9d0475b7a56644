/* SPDX-License-Identifier: MIT */
#pragma once
/* Turns the logged samples of a collector into the tasks, nodes and cells of a page. */
#include <stdint.h>

struct cell_log;
struct collector;
struct frames;
struct page;
struct page_tree;
struct sample_filter;
struct session;

struct page_source {
	const struct session *session;
	const struct collector *collector;  /* settled */
	struct cell_log *log;               /* of nodes of its stacks; is used up */
	const struct frames *frames;        /* the frames of its stacks */
	const struct sample_filter *filter; /* by function and image; NULL: all samples count */
	const char *part;                   /* only functions whose name contains it; NULL: all */
	/*
	 * By number of collector_options.places: page_cell.place. NULL: instructions are not shown.
	 */
	const uint32_t *place_of;
};

/*
 * Adds everything but listings and facts to @p, whose tree is @t. Cells are merged, with bins of
 * PAGE_BIN_NS, or wider ones if the recording takes years.
 */
void page_fill(struct page *p, struct page_tree *t, const struct page_source *s);

#define PAGE_BIN_NS 1000000
