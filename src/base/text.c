/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char text_nothing[1] = "";

void text_reserve(struct text *t, size_t more)
{
	char *old = t->room ? t->chars : NULL;

	t->chars = array_reserve(old, &t->room, t->length + more + 1, 1);
	if (!old)
		t->chars[0] = '\0';
}

void text_swap(struct text *a, struct text *b)
{
	struct text t = *a;

	*a = *b;
	*b = t;
}

void text_done(struct text *t)
{
	if (t->room)
		free(t->chars);
	*t = (struct text)TEXT_EMPTY;
}

void text_clear(struct text *t)
{
	t->length = 0;
	if (t->room)
		t->chars[0] = '\0';
}

void text_add_bytes(struct text *t, const char *s, size_t n)
{
	char *at = text_room(t, n);

	memcpy(at, s, n);
	text_filled(t, at + n);
}

void text_add(struct text *t, const char *s)
{
	text_add_bytes(t, s, strlen(s));
}

void text_add_char(struct text *t, char c)
{
	text_add_bytes(t, &c, 1);
}

void text_add_utf8(struct text *t, uint32_t c)
{
	char bytes[4];
	size_t n = 0;

	if (c < 0x80) {
		bytes[n++] = (char)c;
	} else if (c < 0x800) {
		bytes[n++] = (char)(0xc0 | c >> 6);
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		bytes[n++] = (char)(0xe0 | c >> 12);
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	} else {
		bytes[n++] = (char)(0xf0 | (c >> 18 & 7));
		bytes[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	}
	text_add_bytes(t, bytes, n);
}

void text_addf(struct text *t, const char *format, ...)
{
	va_list ap;
	char *s;

	va_start(ap, format);
	s = xvasprintf(format, ap);
	va_end(ap);
	text_add(t, s);
	free(s);
}

void text_pad(struct text *t, size_t from, size_t column, size_t min, char c)
{
	size_t have = t->length - from;
	size_t n = column > have ? column - have : 0;

	for (n = n < min ? min : n; n; n--)
		text_add_char(t, c);
}

void text_trim_lines(struct text *t)
{
	size_t to = 0;

	for (size_t i = 0; i < t->length; i++) {
		while (t->chars[i] == '\n' && to && t->chars[to - 1] == ' ')
			to--;
		t->chars[to++] = t->chars[i];
	}
	if (t->room)
		t->chars[to] = '\0';
	t->length = to;
}

char *text_take(struct text *t)
{
	char *s = t->room ? t->chars : xstrdup("");

	*t = (struct text)TEXT_EMPTY;
	return s;
}

const char *text_skip_blanks(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}
