/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Checks of a diag: its words, and the place it marks.
 *
 * A place is drawn below the text as a terminal would show it: carets under the marked characters,
 * or one '|' for a point between two of them.
 *
 *	"cycles,,cs"
 *	"       ^"
 */
#include <string.h>

#include "base/diag.h"

static inline void assert_contains(const char *text, const char *words)
{
	if (!text || !strstr(text, words))
		fail_msg("'%s' does not say '%s'", text ? text : "(null)", words);
}

static inline void assert_marked(const struct diag *d, const char *text, const char *mark,
				 const char *words)
{
	size_t at = strspn(mark, " ");
	size_t length = strspn(mark + at, "^");

	assert_contains(d->message, words);
	assert_non_null(d->excerpt);
	assert_string_equal(d->excerpt, text);
	if (d->offset != at || d->length != length)
		fail_msg("%s: '%s' marks %zu+%zu, not %zu+%zu", text, d->message, d->offset,
			 d->length, at, length);
}
