/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Computes the part of a text that fits into a width, without a browser.
 *
 * The reader's font is unknown. Widths are those of DejaVu Sans, one of the widest common fonts, so
 * that a text rarely extends beyond its box. A script in the picture may measure it again.
 */
#include <stddef.h>

/* Returns the width of @n bytes of UTF-8, at a font size of @size pixels. */
double text_width(const char *s, size_t n, double size);

/*
 * Returns how many of the @n bytes of @s fit into @width pixels: all, or fewer, so that an ellipsis
 * (TEXT_ELLIPSIS) fits after them. It never ends within a character. 0: not even three characters
 * fit.
 */
size_t text_fit(const char *s, size_t n, double size, double width);

#define TEXT_ELLIPSIS "\xe2\x80\xa6"
