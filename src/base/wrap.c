/* SPDX-License-Identifier: MIT */
#include "base/wrap.h"

#include <string.h>

#include "base/escape.h"
#include "base/text.h"

static size_t last_line_columns(const struct text *t)
{
	size_t from = t->length;

	while (from && t->chars[from - 1] != '\n')
		from--;
	return escape_columns(t->chars + from, t->length - from);
}

void text_add_wrapped(struct text *t, const char *s, size_t indent, size_t width)
{
	size_t column = last_line_columns(t), start = column;

	while (*s) {
		size_t blanks = strspn(s, " "), n = strcspn(s + blanks, " ");
		size_t columns = escape_columns(s + blanks, n);

		/* The first word of a line stays there, however long it is. */
		if (width && n && column > start && column + blanks + columns > width) {
			text_add_char(t, '\n');
			text_pad(t, t->length, indent, 0, ' ');
			start = indent;
			column = indent + columns;
			text_add_bytes(t, s + blanks, n);
		} else {
			text_add_bytes(t, s, blanks + n);
			column += blanks + columns;
		}
		s += blanks + n;
	}
	text_add_char(t, '\n');
}
