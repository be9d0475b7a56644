/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How much of a text fits into a width, without asking a browser.
 *
 * Nobody knows which font a reader has: widths are those of DejaVu Sans, one of the widest that are
 * common, so that a text rarely passes the end of its box. A script in the picture may measure
 * anew.
 */
#include <stddef.h>

/* How wide @n bytes of UTF-8 are, at a font size of @size pixels. */
double text_width(const char *s, size_t n, double size);

/*
 * How many of the @n bytes of @s fit into @width pixels: all, or fewer, behind which an ellipsis
 * (TEXT_ELLIPSIS) fits, too. Never ends within a character. 0: not even three characters fit.
 */
size_t text_fit(const char *s, size_t n, double size, double width);

#define TEXT_ELLIPSIS "\xe2\x80\xa6"
