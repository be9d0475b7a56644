/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A block of lines on a terminal that is replaced by the next one, in the midst of what scrolls by.
 *
 * There are two places for it:
 *
 * - REDRAW_HERE, when nobody else writes to the terminal: the block stands at the cursor, which
 *   waits below it. Whatever ends or stops the process between two blocks, the terminal is as a
 *   shell expects it. Enter keeps the block and begins the next one below.
 * - REDRAW_BOTTOM, beside a command that may write to the terminal: the block takes the last lines,
 *   at most half of them, and the terminal scrolls only the lines above (DECSTBM), where the
 *   command keeps its cursor. All lines scroll again when the block ends, and before the process
 *   stops (SIGTSTP) or is ended by a signal; kill -9 excepted.
 *
 * Lines are cut at the width of the terminal, and a block at its height; the last block stays in
 * full. Nothing is drawn while the process is in the background. A block may have colours (SGR) and
 * UTF-8; whoever makes it has escaped names already. One at a time, in one thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

enum redraw_place {
	REDRAW_HERE,
	REDRAW_BOTTOM,
};

struct redraw_size {
	unsigned rows, columns;
};

struct redraw {
	FILE *out;
	enum redraw_place place;
	struct redraw_size (*size)(FILE *out); /* of the terminal; tests have their own */

	struct redraw_size drawn; /* the terminal's size when the block was drawn */
	size_t lines;             /* of the block on the screen; 0: there is none */
	struct {
		unsigned *items; /* columns that each of them takes */
		size_t n, room;
	} widths;
	struct text last; /* the block in full */
	int typed;        /* bytes of typed lines that nobody has read */
};

/*
 * Whether blocks can be drawn on @out: a terminal that understands escape sequences, and that the
 * process is in the foreground of.
 */
bool redraw_possible(FILE *out);

/* Nothing is drawn yet. Release with redraw_done(). */
void redraw_init(struct redraw *r, FILE *out, enum redraw_place place);

/* The lines and columns that a block can have now without being cut. */
struct redraw_size redraw_room(const struct redraw *r);

/* Draws @n bytes of lines in place of the block before. */
void redraw_show(struct redraw *r, const char *block, size_t n);

/*
 * Somebody else is about to write to the terminal: what is drawn next does not touch that. NULL is
 * fine.
 */
void redraw_interrupt(struct redraw *r);

/*
 * The end. With @keeps the last block stays, in full; otherwise it is erased. The cursor is below
 * it then, in the first column.
 */
void redraw_end(struct redraw *r, bool keeps);

/* As redraw_end() without @keeps if that was not called, and releases the rest. */
void redraw_done(struct redraw *r);
