/* SPDX-License-Identifier: MIT */
#include "base/glob.h"

#include <stddef.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip(const char *s, bool is_loose)
{
	while (is_loose && is_blank(*s))
		s++;
	return s;
}

/* Behind the bracket that closes the class at @open; NULL: it is never closed. */
static const char *class_end(const char *open)
{
	const char *at = open + 1;

	at += *at == '!';
	/* A ']' that comes first is one of the characters. */
	for (at += *at == ']'; *at != ']'; at++) {
		at += *at == '\\' && at[1];
		if (!*at)
			return NULL;
	}
	return at + 1;
}

/* Is @c in the class between the bracket at @open and @end? */
static bool class_has(const char *open, const char *end, char c)
{
	const char *at = open + 1;
	bool negated = *at == '!';
	bool found = false;

	for (at += negated; at < end - 1; at++) {
		at += *at == '\\';

		unsigned char low = (unsigned char)*at, high = low;

		if (at[1] == '-' && at + 2 < end - 1) {
			at += 2;
			high = (unsigned char)*at;
		}
		found |= (unsigned char)c >= low && (unsigned char)c <= high;
	}
	return found != negated;
}

/* Does what @pattern begins with, which is no *, match @c? Then *@ret_next is what follows it. */
static bool matches_one(const char *pattern, char c, const char **ret_next)
{
	*ret_next = pattern + 1;
	if (*pattern == '?')
		return true;
	if (*pattern == '[') {
		const char *end = class_end(pattern);

		if (end) {
			*ret_next = end;
			return class_has(pattern, end, c);
		}
	}
	if (*pattern == '\\' && pattern[1]) {
		*ret_next = pattern + 2;
		return pattern[1] == c;
	}
	return *pattern && *pattern == c;
}

/*
 * A mismatch goes back to the last * only: it may take one character more. An earlier one need not,
 * as what stands between both has matched as early as it can.
 */
static bool matches(const char *pattern, const char *text, bool is_loose)
{
	const char *star = NULL; /* behind the last one */
	const char *star_text = NULL;

	for (;;) {
		const char *next;

		pattern = skip(pattern, is_loose);
		text = skip(text, is_loose);
		if (*pattern == '*') {
			star = ++pattern;
			star_text = text;
			continue;
		}
		if (!*text && !*pattern)
			return true;
		if (*text && matches_one(pattern, *text, &next)) {
			pattern = next;
			text++;
			continue;
		}
		if (!star || !*star_text)
			return false;
		pattern = star;
		text = ++star_text;
	}
}

bool glob_matches(const char *pattern, const char *text)
{
	return matches(pattern, text, false);
}

bool glob_matches_loosely(const char *pattern, const char *text)
{
	return matches(pattern, text, true);
}

bool glob_is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}
