/* SPDX-License-Identifier: MIT */
#pragma once
/* Reduces the number of stacks and tasks of a page. */
struct page;

/*
 * Leaves out callers with less than @share (0 to 1) of their events: their callees then stand on
 * the next caller that has more. Innermost frames stay, so that functions keep their own weight.
 * With 0 only nodes without any weight are removed. Unused names are removed too.
 */
void page_fold(struct page *p, double share);

/*
 * Joins the tasks that have less than @share and the same name into one task without pid and tid.
 */
void page_fold_tasks(struct page *p, double share);
