/* SPDX-License-Identifier: MIT */
#include "base/glob.h"

#include <stddef.h>
#include <string.h>

static bool glob_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

enum {
	WITHOUT_BLANKS = 1 << 0,
	ANY_CASE = 1 << 1,
};

static unsigned char glob_fold(char c, unsigned flags)
{
	bool is_upper = c >= 'A' && c <= 'Z';

	return (unsigned char)(flags & ANY_CASE && is_upper ? c - 'A' + 'a' : c);
}

static const char *glob_skip(const char *s, unsigned flags)
{
	while (flags & WITHOUT_BLANKS && glob_is_blank(*s))
		s++;
	return s;
}

/*
 * Returns the position after the bracket that closes the class at @open; NULL: it is never closed.
 */
static const char *glob_class_end(const char *open)
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

/* True if @c is in the class between the bracket at @open and @end. */
static bool class_has(const char *open, const char *end, char c, unsigned flags)
{
	const unsigned char folded = glob_fold(c, flags);
	const char *at = open + 1;
	bool negated = *at == '!';
	bool found = false;

	for (at += negated; at < end - 1; at++) {
		at += *at == '\\';

		unsigned char low = glob_fold(*at, flags), high = low;

		if (at[1] == '-' && at + 2 < end - 1) {
			at += 2;
			high = glob_fold(*at, flags);
		}
		found |= folded >= low && folded <= high;
	}
	return found != negated;
}

/*
 * True if the first element of @pattern, which is no *, matches @c. Then *@ret_next is the rest of
 * the pattern.
 */
static bool matches_one(const char *pattern, char c, unsigned flags, const char **ret_next)
{
	*ret_next = pattern + 1;
	if (*pattern == '?')
		return true;
	if (*pattern == '[') {
		const char *end = glob_class_end(pattern);

		if (end) {
			*ret_next = end;
			return class_has(pattern, end, c, flags);
		}
	}
	if (*pattern == '\\' && pattern[1]) {
		*ret_next = pattern + 2;
		return glob_fold(pattern[1], flags) == glob_fold(c, flags);
	}
	return *pattern && glob_fold(*pattern, flags) == glob_fold(c, flags);
}

/*
 * Matches @pattern against @text. After a mismatch only the last * has to be retried with one
 * character more. An earlier * need not be, because the text between both has matched as early as
 * possible.
 */
static bool base_glob_matches(const char *pattern, const char *text, unsigned flags)
{
	const char *star = NULL; /* after the last * */
	const char *star_text = NULL;

	for (;;) {
		const char *next;

		pattern = glob_skip(pattern, flags);
		text = glob_skip(text, flags);
		if (*pattern == '*') {
			star = ++pattern;
			star_text = text;
			continue;
		}
		if (!*text && !*pattern)
			return true;
		if (*text && matches_one(pattern, *text, flags, &next)) {
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
	return base_glob_matches(pattern, text, 0);
}

bool glob_matches_loosely(const char *pattern, const char *text)
{
	return base_glob_matches(pattern, text, WITHOUT_BLANKS);
}

bool glob_matches_any_case(const char *pattern, const char *text)
{
	return base_glob_matches(pattern, text, ANY_CASE);
}

bool glob_is_pattern(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}
