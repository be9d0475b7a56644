/* SPDX-License-Identifier: MIT */
#include "tui/text-lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define TAB 8

static char *without_tabs(const char *text)
{
	struct text t = TEXT_EMPTY;
	size_t line = 0;

	for (const char *c = text; *c; c++) {
		if (*c == '\t')
			text_pad(&t, line, (t.length - line) / TAB * TAB + TAB, 1, ' ');
		else
			text_add_char(&t, *c);
		if (*c == '\n')
			line = t.length;
	}
	return text_take(&t);
}

void text_lines_init(struct text_lines *l, const char *text)
{
	*l = (struct text_lines){ .text = without_tabs(text) };
	for (char *line = l->text, *end; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		*ARRAY_ADD(l) = line;
	}
}

void text_lines_done(struct text_lines *l)
{
	free(l->items);
	free(l->text);
}

const char *text_lines_get(const struct text_lines *l, size_t i)
{
	return i < l->n ? l->items[i] : "";
}

size_t text_lines_find(const struct text_lines *l, const char *part, size_t from, int step)
{
	for (size_t i = 1; i <= l->n; i++) {
		size_t line = step > 0 ? (from + i) % l->n : (from + l->n - i) % l->n;

		if (strcasestr(l->items[line], part))
			return line;
	}
	return l->n;
}
