/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tables of fixed layouts, made narrower for a terminal.
 *
 * Two steps, as far as they are needed. First, columns of blanks that all lines of a table share
 * are left out, the widest gaps first, until one blank remains of each. Then, where cells are
 * separated by '|', the last cells go. Lines that are still too long stay as they are. A table ends
 * at an empty line, unless "Some title:" and rows of the same width follow; text that is not part
 * of one, and tables that fit, stay as they are.
 */
#include <stddef.h>

struct text;

/*
 * Appends the lines of @s, for a terminal of @columns columns. Returns how many cells of a row had
 * to be left out, at most over all tables. Colours (ESC [ ... m) have no width.
 */
size_t text_add_squeezed(struct text *out, const char *s, size_t columns);
