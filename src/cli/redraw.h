/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A block of lines on a terminal that is replaced by the next one, among other output that scrolls.
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
 * full. Nothing is drawn while the process is in the background. A block may contain colours (SGR)
 * and UTF-8; its maker has already escaped names. There is one block at a time, in one thread.
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
	/* returns the size of the terminal; tests have their own function */
	struct redraw_size (*size)(FILE *out);

	struct redraw_size drawn; /* the terminal's size when the block was drawn */
	size_t lines;             /* number of lines of the block on the screen; 0: there is none */
	struct {
		unsigned *items; /* the width of each of them in columns */
		size_t n, room;
	} widths;
	struct text last; /* the block in full */
	int typed;        /* bytes of typed lines that were not read */
};

/*
 * True if blocks can be drawn on @out: it is a terminal that supports escape sequences, and the
 * process is in its foreground.
 */
bool redraw_possible(FILE *out);

/* Prepares @r; nothing is drawn yet. Release with redraw_done(). */
void redraw_init(struct redraw *r, FILE *out, enum redraw_place place);

/* Returns the lines and columns that a block can have now without being cut. */
struct redraw_size redraw_room(const struct redraw *r);

/* Draws @n bytes of lines in place of the previous block. */
void redraw_show(struct redraw *r, const char *block, size_t n);

/* Announces other output to the terminal: the next block does not overwrite it. @r may be NULL. */
void redraw_interrupt(struct redraw *r);

/*
 * Ends drawing. With @keeps the last block stays, in full; otherwise it is erased. The cursor is
 * then below it, in the first column.
 */
void redraw_end(struct redraw *r, bool keeps);

/* Does the same as redraw_end() without @keeps if that was not called, and releases the rest. */
void redraw_done(struct redraw *r);
