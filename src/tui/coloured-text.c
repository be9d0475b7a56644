/* SPDX-License-Identifier: MIT */
#include "tui/coloured-text.h"

#include <string.h>

#include "base/text.h"

struct mark {
	const char *code;
	size_t length;
	enum style style;
};

static const struct mark marks[] = {
	{ "\033[31m", 5, STYLE_TOP },
	{ "\033[32m", 5, STYLE_MEDIUM },
	{ "\033[m", 3, STYLE_NORMAL },
};

static const struct mark *mark_at(const char *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (!strncmp(s, marks[i].code, marks[i].length))
			return &marks[i];
	return NULL;
}

int coloured_put(struct screen *s, struct area a, int y, int x, enum style style, bool uniform,
		 const struct text *text)
{
	enum style now = style;
	const char *at = text->chars;

	while (*at) {
		const char *end = strchr(at, '\033');
		const struct mark *m;

		/* An escape that is not a mark belongs to the text; the screen shows it visibly. */
		while (end && !mark_at(end))
			end = strchr(end + 1, '\033');
		x = screen_put(s, a, y, x, now, at, end ? (int)(end - at) : -1);
		if (!end)
			break;
		m = mark_at(end);
		if (!uniform)
			now = m->style == STYLE_NORMAL ? style : m->style;
		at = end + m->length;
	}
	return x;
}

void coloured_strip(const struct text *from, struct text *out)
{
	for (const char *at = from->chars; *at;) {
		const struct mark *m = *at == '\033' ? mark_at(at) : NULL;

		if (m)
			at += m->length;
		else
			text_add_char(out, *at++);
	}
}
