/* SPDX-License-Identifier: MIT */
#pragma once
/* Cuts a line to the space that there is: pure text, for cli/redraw. */
#include <stddef.h>

struct text;

/* Returns the columns that @n bytes take: colour sequences take none, wide characters two. */
size_t redraw_columns(const char *line, size_t n);

/*
 * Appends as much of @line as fits into @columns, never half a character. If a colour was begun in
 * it, the colour is ended. Returns the columns used.
 */
size_t redraw_cut(struct text *t, const char *line, size_t n, size_t columns);
