/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph as the stacks of a page: for comparisons, folded lines and waiting
 * times.
 */
struct flame;
struct page;

/* The weights of the boxes. */
struct page_boxes {
	const struct flame *weights;
	/*
	 * The same boxes by their number of samples; NULL: not known, or @weights are these
	 * numbers.
	 */
	const struct flame *samples;
	/* may be ""; unit "samples": the weights are numbers of samples */
	const char *event, *unit;
};

/*
 * Adds boxes to @p, which page_init() made. Boxes of tasks on the first box become the page's
 * tasks, unless other boxes stand beside them.
 */
void page_add_flame(struct page *p, const struct page_boxes *b);
