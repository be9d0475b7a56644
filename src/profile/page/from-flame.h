/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph as the stacks of a page: of a comparison, of folded lines, of waiting.
 */
struct flame;
struct page;

/* What boxes weigh. */
struct page_boxes {
	const struct flame *weights;
	/* The same boxes by their number of samples; NULL: not known, or @weights are that. */
	const struct flame *samples;
	const char *event, *unit; /* may be ""; a unit of "samples": the weights are that */
};

/*
 * Adds boxes to @p, which page_init() made. Boxes of tasks on the ground become the page's tasks,
 * unless others stand beside them.
 */
void page_add_flame(struct page *p, const struct page_boxes *b);
