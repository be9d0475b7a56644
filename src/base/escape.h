/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes text from outside (names, paths, user input) harmless for the place where it is written.
 *
 * Input is bytes that are meant to be UTF-8 and may be anything. Control characters, and the marks
 * that reverse or hide the direction of writing, never reach a terminal or a picture.
 */
#include <stddef.h>

struct text;

/*
 * Appends @n bytes of @s, with \n, \t, \x1b, \u202e for characters on which a terminal would act.
 */
void escape_terminal(struct text *t, const char *s, size_t n);

/* Does the same for whole lines, and keeps their line breaks. */
void escape_lines(struct text *t, const char *s, size_t n);

/*
 * Does the same for the inside of quotes: a quote becomes \", a backslash \\, and a NUL \0 if no
 * digit follows.
 */
void escape_quoted(struct text *t, const char *s, size_t n);

/*
 * Appends the inside of a JSON string (without the quotes); broken UTF-8 becomes U+FFFD. Characters
 * on which a terminal would act are written as \u009b, so that readers of JSON get the character
 * itself.
 */
void escape_json(struct text *t, const char *s, size_t n);

/*
 * Appends @n bytes of @s as character data or as the inside of an attribute of XML, HTML and SVG.
 * Characters on which a terminal would act, and those that XML cannot contain, are written as
 * escape_terminal() does.
 */
void escape_xml(struct text *t, const char *s, size_t n);

/*
 * Appends @n bytes of @s as valid UTF-8: an invalid byte becomes \xNN, everything else is
 * unchanged.
 */
void escape_not_utf8(struct text *t, const char *s, size_t n);

/*
 * Returns the number of characters in @n bytes of UTF-8, which is the distance by which they move a
 * terminal's cursor.
 */
size_t escape_columns(const char *s, size_t n);
