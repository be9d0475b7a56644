/* SPDX-License-Identifier: MIT */
/* Splits a line of the configuration into words. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tools/daemon/plan-work.h"

void daemon_words_done(struct daemon_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->items[i]);
	free(w->items);
	*w = (struct daemon_words){ 0 };
}

bool daemon_words_are_equal(const struct daemon_words *a, const struct daemon_words *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->items[i], b->items[i]))
			return false;
	return true;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/*
 * Appends the text of quotes that begin at @s, without the quotes. Returns the text after it; NULL:
 * no end.
 */
static const char *daemon_words_take_quoted(struct text *t, const char *s)
{
	char quote = *s++;

	for (; *s && *s != quote; s++) {
		if (quote == '"' && *s == '\\' && (s[1] == '"' || s[1] == '\\'))
			s++;
		text_add_char(t, *s);
	}
	return *s ? s + 1 : NULL;
}

/* Takes one word; -EINVAL with *@s at the quote that has no end. */
static int daemon_words_take_word(struct text *t, const char **s)
{
	while (**s && !is_space(**s)) {
		if (**s == '\'' || **s == '"') {
			const char *rest = daemon_words_take_quoted(t, *s);

			if (!rest)
				return -EINVAL;
			*s = rest;
			continue;
		}
		if (**s == '\\' && (*s)[1])
			(*s)++;
		text_add_char(t, *(*s)++);
	}
	return 0;
}

static void daemon_words_add_word(struct daemon_words *w, char *word)
{
	/* Space for the NULL after the last word is always reserved. */
	w->items = array_reserve(w->items, &w->room, w->n + 2, sizeof(w->items[0]));
	w->items[w->n++] = word;
	w->items[w->n] = NULL;
}

int daemon_words_split(struct daemon_words *w, const char *line, size_t *ret_at)
{
	for (const char *s = line;;) {
		struct text t = TEXT_EMPTY;
		int r;

		while (is_space(*s))
			s++;
		if (!*s)
			return 0;
		r = w->n == DAEMON_WORDS_MAX ? -E2BIG : daemon_words_take_word(&t, &s);
		if (r < 0) {
			text_done(&t);
			*ret_at = (size_t)(s - line);
			return r;
		}
		daemon_words_add_word(w, t.room ? text_take(&t) : xstrdup(""));
	}
}
