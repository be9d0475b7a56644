/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The time strip: how many samples there were over time, as one or two lines below a table, and the
 * part of the time that is selected.
 *
 * Part of another panel, which gives it lines to draw in and keys while it has the cursor, and asks
 * for other data when the selection changes. Times are those of the recording, in ns.
 */
#include <stdbool.h>
#include <stdint.h>

#include "session/time-window.h"
#include "tui/screen.h"

struct time_strip;

/* Zeros: everything is seen, nothing selected. */
struct strip {
	bool has_keys;     /* the cursor is in it */
	bool is_selected;  /* [@from, @to] is selected */
	uint64_t from, to; /* both belong to it */
	/* Private: */
	bool is_marking; /* one end, @mark, is set; the other is where the cursor is */
	uint64_t mark, cursor;
	uint64_t view_from, view_to; /* what is seen; view_to 0: everything */
	struct area area;            /* where it was drawn last */
	struct time_range range;     /* for strip_window() */
	char text[64];
};

/* What follows a key. */
enum strip_next {
	STRIP_PASS,     /* the key was not for it */
	STRIP_STAY,     /* it is drawn again */
	STRIP_SELECTED, /* the selection has changed: @is_selected, @from, @to */
	STRIP_LEAVE,    /* the cursor has left it */
};

/* How many lines it wants of @height; 0: there is no room. */
int strip_height(int height);

void strip_draw(struct strip *s, struct screen *screen, struct area a, const struct time_strip *t);

/*
 * A key, while it has them; or the mouse, in any case: a click gives it the keys, dragging selects.
 */
enum strip_next strip_input(struct strip *s, const struct time_strip *t,
			    const struct screen_input *in);

/* Puts the cursor into it. */
void strip_enter(struct strip *s, const struct time_strip *t);

/* Takes over the selection that a request already has. */
void strip_take_window(struct strip *s, const struct time_window *w);

/* The selection as part of a filter; it borrows from @s until that changes. */
struct time_window strip_window(struct strip *s);

/* What to say where there are no times. */
extern const char strip_without_times[];

/*
 * What falls on each of @n columns between @from and @to, in the unit of the weights. Bins and
 * columns do not coincide: a bin is shared out by how much of it lies in a column.
 */
void strip_columns(const struct time_strip *t, uint64_t from, uint64_t to, double *ret, int n);
