/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A list that scrolls: any number of rows, of which one has the cursor.
 *
 * Whoever has the rows draws them; this knows only how many there are and which are to be seen.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tui/screen.h"

struct list {
	size_t n;         /* rows */
	size_t top;       /* the first that is seen */
	size_t cursor;    /* below n, unless there are none */
	int left;         /* columns that are scrolled out of sight */
	struct area area; /* where it was drawn last */
	bool free_scroll; /* Left and Right scroll; else they are left to the panel */
};

/* After n, the cursor or the area have changed: keeps the cursor in the list and in sight. */
void list_settle(struct list *l, size_t n, struct area area);

/* Moves the cursor by a key, a wheel or a click; true: the key was for the list. */
bool list_input(struct list *l, const struct screen_input *in);

/* Draws the rows in sight with @draw_row, and a scroll bar at the right edge if some are not. */
struct list_row {
	struct area area; /* one row high */
	size_t index;
	bool is_selected;
};
void list_draw(struct list *l, struct screen *s,
	       void (*draw_row)(void *arg, struct screen *s, const struct list_row *row),
	       void *arg);
