/* SPDX-License-Identifier: MIT */
#include "cli/redraw-cut.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/text.h"

#define ESCAPE     '\033'
#define COLOUR_OFF "\033[m"

/* Characters that take two columns, in ranges as coarse as those that terminals use. */
static const struct {
	uint32_t first, last;
} wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0xa4cf },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f },
	{ 0x1f680, 0x1f6ff }, { 0x1f900, 0x1faff }, { 0x20000, 0x3fffd },
};

struct redraw_cut_piece {
	size_t bytes, columns;
	bool is_colour;
};

/* Returns the colour sequence at @s, "\033[1;31m", up to its last character. */
static struct redraw_cut_piece redraw_cut_sequence(const char *s, size_t n)
{
	size_t i = n > 1 && s[1] == '[' ? 2 : 1;

	while (i < n && (s[i] < '@' || s[i] > '~'))
		i++;
	return (struct redraw_cut_piece){ .bytes = i < n ? i + 1 : n, .is_colour = true };
}

static size_t redraw_cut_columns_of(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_SIZE(wide); i++)
		if (code >= wide[i].first && code <= wide[i].last)
			return 2;
	return 1;
}

/* Returns the next piece. Bytes that are not UTF-8 are passed on one by one. */
static struct redraw_cut_piece redraw_cut_next_piece(const char *s, size_t n)
{
	unsigned char first = (unsigned char)s[0];
	size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
	uint32_t code = length == 1 ? first : first & (0x7fu >> length);

	if (first == ESCAPE)
		return redraw_cut_sequence(s, n);
	if (length > n)
		return (struct redraw_cut_piece){ .bytes = 1, .columns = 1 };
	for (size_t i = 1; i < length; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return (struct redraw_cut_piece){ .bytes = 1, .columns = 1 };
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	}
	return (struct redraw_cut_piece){ .bytes = length, .columns = redraw_cut_columns_of(code) };
}

size_t redraw_columns(const char *line, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n;) {
		struct redraw_cut_piece p = redraw_cut_next_piece(line + i, n - i);

		columns += p.columns;
		i += p.bytes;
	}
	return columns;
}

size_t redraw_cut(struct text *t, const char *line, size_t n, size_t columns)
{
	size_t used = 0, i = 0;
	bool has_colour = false;

	while (i < n) {
		struct redraw_cut_piece p = redraw_cut_next_piece(line + i, n - i);

		if (used + p.columns > columns)
			break;
		has_colour |= p.is_colour;
		used += p.columns;
		i += p.bytes;
	}
	if (i)
		text_add_bytes(t, line, i);
	if (i < n && has_colour)
		text_add(t, COLOUR_OFF);
	return used;
}
