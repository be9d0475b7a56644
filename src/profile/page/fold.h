/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the stacks and the tasks of a page fewer.
 */
struct page;

/*
 * Leaves out callers with less than @share (0 to 1) of their events: their callees stand on the
 * next caller that has more. What is innermost stays, so that functions keep what they weigh by
 * themselves. With 0 only nodes without any weight go. Names that nothing uses go, too.
 */
void page_fold(struct page *p, double share);

/* Makes one task, without pid and tid, of those with less than @share that have the same name. */
void page_fold_tasks(struct page *p, double share);
