/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The time strip: the number of samples over time, as one or two lines below a table, and the
 * selected part of the time.
 *
 * It is part of another panel, which gives it lines to draw in, and keys while it has the cursor,
 * and requests other data when the selection changes. Times are those of the recording, in ns.
 */
#include <stdbool.h>
#include <stdint.h>

#include "session/time-window.h"
#include "tui/screen.h"

struct time_strip;

/* All zero: everything is visible, nothing is selected. */
struct strip {
	bool has_keys;     /* it has the cursor */
	bool is_selected;  /* [@from, @to] is selected */
	uint64_t from, to; /* both are included */
	/* Private: */
	bool is_marking; /* one end, @mark, is set; the other end is the cursor */
	uint64_t mark, cursor;
	uint64_t view_from, view_to; /* the visible part; view_to 0: everything */
	struct area area;            /* the place in which it was last drawn */
	struct time_range range;     /* used by strip_window() */
	char text[64];
};

/* The result of a key. */
enum strip_next {
	STRIP_PASS,     /* the key was not for it */
	STRIP_STAY,     /* it is drawn again */
	STRIP_SELECTED, /* the selection has changed: @is_selected, @from, @to */
	STRIP_LEAVE,    /* the cursor has left it */
};

/* Returns the number of lines that it needs out of @height; 0: there is not enough space. */
int strip_height(int height);

void strip_draw(struct strip *s, struct screen *screen, struct area a, const struct time_strip *t);

/*
 * Handles a key, while it has the keys; or the mouse, in any case: a click gives it the keys,
 * dragging selects.
 */
enum strip_next strip_input(struct strip *s, const struct time_strip *t,
			    const struct screen_input *in);

/* Puts the cursor into it. */
void strip_enter(struct strip *s, const struct time_strip *t);

/* Takes over the selection that a request already contains. */
void strip_take_window(struct strip *s, const struct time_window *w);

/* Returns the selection as part of a filter; it borrows from @s until that changes. */
struct time_window strip_window(struct strip *s);

/* The message if there are no times. */
extern const char strip_without_times[];

/*
 * Computes the weight in each of @n columns between @from and @to. Bins and columns do not
 * coincide: a bin is divided according to its overlap with the columns.
 */
void strip_columns(const struct time_strip *t, uint64_t from, uint64_t to, double *ret, int n);
