/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A line as far as there is room for it: pure text, for cli/redraw.
 */
#include <stddef.h>

struct text;

/* How many columns @n bytes take: sequences of colours none, wide characters two. */
size_t redraw_columns(const char *line, size_t n);

/*
 * Appends as much of @line as fits into @columns, never half a character. If a colour was begun in
 * it, colours end. Returns the columns it takes.
 */
size_t redraw_cut(struct text *t, const char *line, size_t n, size_t columns);
