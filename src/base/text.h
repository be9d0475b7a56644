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
#include <stdint.h>

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
void text_add_utf8(struct text *t, uint32_t code_point);
void text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ensures capacity for @more characters and the NUL. */
void text_reserve(struct text *t, size_t more);

/*
 * Returns the place for the next @n characters, for callers that write many small pieces at once;
 * text_filled() then sets their end. Nothing may be added in between.
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

/* Appends @c at least @min times, until the text since @from is @column characters long. */
void text_pad(struct text *t, size_t from, size_t column, size_t min, char c);

/* Removes the blanks at the end of each line. */
void text_trim_lines(struct text *t);

/* Returns the characters, which now belong to the caller; @t is empty again. */
char *text_take(struct text *t);

/* Returns the first character of @s that is not white space. */
const char *text_skip_blanks(const char *s);
