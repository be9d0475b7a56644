/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Text from the outside (names, paths, what was typed) made harmless for the place it goes to.
 *
 * Input is bytes that are meant to be UTF-8 and may be anything. Control characters, and the marks
 * that reverse or hide the direction of writing, never reach a terminal or a picture.
 */
#include <stddef.h>

struct text;

/* Appends @n bytes of @s with \n, \t, \x1b, \u202e for what a terminal would act upon. */
void escape_terminal(struct text *t, const char *s, size_t n);

/* The same for whole lines: their line breaks stay. */
void escape_lines(struct text *t, const char *s, size_t n);

/*
 * The same for the inside of quotes: \" and \\ for a quote and a backslash, too, and \0 for NUL
 * where no digit follows.
 */
void escape_quoted(struct text *t, const char *s, size_t n);

/*
 * Appends the inside of a JSON string (without the quotes); broken UTF-8 becomes U+FFFD. What a
 * terminal would act upon is written as \u009b: readers of JSON get the character itself.
 */
void escape_json(struct text *t, const char *s, size_t n);

/*
 * Appends @n bytes of @s as character data or the inside of an attribute of XML, HTML and SVG. What
 * a terminal would act upon, and what XML cannot hold, is shown as escape_terminal() does.
 */
void escape_xml(struct text *t, const char *s, size_t n);

/* Appends @n bytes of @s as valid UTF-8: a byte that is none becomes \xNN, all else stays. */
void escape_not_utf8(struct text *t, const char *s, size_t n);

/* How many characters @n bytes of UTF-8 are, which is how far they move a terminal's cursor. */
size_t escape_columns(const char *s, size_t n);
