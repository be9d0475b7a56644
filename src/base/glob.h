/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Patterns with *, ?, [a-z], [!a-z] and \x for x itself, matched against bytes. They work as in
 * fnmatch(), but without locales and named classes, and in O(pattern * text) for every pattern.
 */
#include <stdbool.h>

/* True if @pattern matches the whole of @text. */
bool glob_matches(const char *pattern, const char *text);

/* Does the same as glob_matches(), but ignores blanks in both. */
bool glob_matches_loosely(const char *pattern, const char *text);

/* Does the same as glob_matches(), but a to z equal A to Z. */
bool glob_matches_any_case(const char *pattern, const char *text);

/* True if @text has a character with a special meaning in a pattern. */
bool glob_is_pattern(const char *text);
