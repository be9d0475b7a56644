/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph as the stacks of a page: of a comparison, of folded lines, of waiting.
 */
struct flame;
struct page;

/*
 * Adds the boxes of @f to @p, which page_init() made. They weigh @unit of @event; both may be "".
 * Boxes of tasks on the ground become the page's tasks, unless others stand beside them.
 */
void page_add_flame(struct page *p, const struct flame *f, const char *event, const char *unit);
