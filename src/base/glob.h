/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Patterns with *, ?, [a-z], [!a-z] and \x for x itself, matched against bytes: as fnmatch(), but
 * without locales and named classes, and in O(pattern * text) whatever the pattern.
 */
#include <stdbool.h>

/* Does @pattern match the whole of @text? */
bool glob_matches(const char *pattern, const char *text);

/* As glob_matches(), but blanks count in neither. */
bool glob_matches_loosely(const char *pattern, const char *text);

/* As glob_matches(), but a to z are the same as A to Z. */
bool glob_matches_any_case(const char *pattern, const char *text);

/* Has @text a character that means something in a pattern? */
bool glob_is_pattern(const char *text);
