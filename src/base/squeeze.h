/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tables of fixed layouts, made narrower for a terminal.
 *
 * There are two steps, used as far as necessary. First, columns of blanks that all lines of a table
 * share are removed, the widest gaps first, until one blank remains of each. Then, where cells are
 * separated by '|', the last cells are removed. Lines that are still too long are left unchanged. A
 * table ends at an empty line, unless "Some title:" and rows of the same width follow. Text that is
 * not part of a table, and tables that fit, are left unchanged.
 */
#include <stddef.h>

struct text;

/*
 * Appends the lines of @s, for a terminal of @columns columns. Returns the number of cells of a row
 * that had to be removed, the maximum over all tables. Colours (ESC [ ... m) have no width.
 */
size_t text_add_squeezed(struct text *out, const char *s, size_t columns);
