/* SPDX-License-Identifier: MIT */
#include "view/picture/text-fit.h"

#include <stdbool.h>
#include <string.h>

/* The width is a fraction of the font's size. */
#define ELLIPSIS_WIDTH   1.0
#define LEAST_CHARACTERS 3

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Returns the width of the character that begins with @c. */
static double picture_text_fit_width_of(char c)
{
	unsigned char u = (unsigned char)c;

	if (u >= 0xe1)
		return 1; /* ideographs, and most characters of three or more bytes */
	if (u >= 0x80)
		return 0.65;
	if (c && strchr("ijl .,:;'|!()[]/\\I", c))
		return 0.37;
	if (c && strchr("mwMW@%", c))
		return 0.96;
	if (c && strchr("<>=+~_^#&", c))
		return 0.82;
	return u >= 'A' && u <= 'Z' ? 0.71 : 0.62;
}

double text_width(const char *s, size_t n, double size)
{
	double width = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_continuation(s[i]))
			width += picture_text_fit_width_of(s[i]);
	return width * size;
}

size_t text_fit(const char *s, size_t n, double size, double width)
{
	double room = width / size, used = 0;
	size_t with_ellipsis = 0, characters = 0;

	for (size_t i = 0; i < n;) {
		size_t end = i + 1;

		while (end < n && is_continuation(s[end]))
			end++;
		used += picture_text_fit_width_of(s[i]);
		if (used > room)
			return characters < LEAST_CHARACTERS ? 0 : with_ellipsis;
		if (used + ELLIPSIS_WIDTH <= room) {
			with_ellipsis = end;
			characters++;
		}
		i = end;
	}
	return n;
}
