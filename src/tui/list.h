/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A list that scrolls: any number of rows, one of which has the cursor.
 *
 * The owner of the rows draws them. This part only knows their number and the visible range.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tui/screen.h"

struct list {
	size_t n;         /* the number of rows */
	size_t top;       /* the first visible row */
	size_t cursor;    /* below n, unless the list is empty */
	int left;         /* columns that are scrolled out on the left */
	struct area area; /* the place in which it was last drawn */
	bool free_scroll; /* Left and Right scroll; else the panel handles them */
};

/* Keeps the cursor in the list and visible after n, the cursor or the area have changed. */
void list_settle(struct list *l, size_t n, struct area area);

/* Moves the cursor by a key, a wheel or a click. True: the input was for the list. */
bool list_input(struct list *l, const struct screen_input *in);

/*
 * Draws the visible rows with @draw_row, and a scroll bar at the right edge if not all rows are
 * visible.
 */
struct list_row {
	struct area area; /* one row high */
	size_t index;
	bool is_selected;
};
void list_draw(struct list *l, struct screen *s,
	       void (*draw_row)(void *arg, struct screen *s, const struct list_row *row),
	       void *arg);
