/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A text under construction: a growable, always NUL-terminated buffer.
 *
 * `struct text t = TEXT_EMPTY;` owns nothing until something is added. text_take() hands the
 * characters to the caller; otherwise text_done() releases them.
 */
#include <stdarg.h>
#include <stddef.h>

struct text {
	char *chars; /* never NULL for a reader: "" when empty */
	size_t length;
	size_t room; /* 0: chars is not allocated */
};

/* The shared "" of empty texts; never written, as room is 0. */
extern const char text_nothing[1];
#define TEXT_EMPTY                                                                                 \
	{                                                                                          \
		.chars = (char *)text_nothing                                                      \
	}

void text_done(struct text *t);
void text_clear(struct text *t);

/* Exchanges the characters of two texts, without copying them. */
void text_swap(struct text *a, struct text *b);

void text_add(struct text *t, const char *s);
void text_add_bytes(struct text *t, const char *s, size_t n);
void text_add_char(struct text *t, char c);
void text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for @more characters and the NUL. */
void text_reserve(struct text *t, size_t more);

/*
 * Where the next @n characters go, for callers that write many small things at once; text_filled()
 * then says where they end. Nothing may be added in between.
 */
static inline char *text_room(struct text *t, size_t n)
{
	if (t->room - t->length <= n)
		text_reserve(t, n);
	return t->chars + t->length;
}

static inline void text_filled(struct text *t, char *end)
{
	*end = '\0';
	t->length = (size_t)(end - t->chars);
}

/* Appends @c until the text is @column characters long since @from; at least @min times. */
void text_pad(struct text *t, size_t from, size_t column, size_t min, char c);

/* Takes away the blanks at the end of each line. */
void text_trim_lines(struct text *t);

/* The characters, which now belong to the caller; @t is empty again. */
char *text_take(struct text *t);

/* The first character of @s that is no white space. */
const char *text_skip_blanks(const char *s);
