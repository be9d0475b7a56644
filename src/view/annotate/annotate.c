/* SPDX-License-Identifier: MIT */
#include "view/annotate/annotate.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/short-name.h"
#include "base/text.h"

#define TAB 8

/*
 * The share, in percent, from which on a number is highlighted. Smaller shares have another colour.
 */
#define MUCH 5.0

const char *annotate_base_name(enum annotate_base base)
{
	static const char *const names[] = {
		[ANNOTATE_LOCAL_PERIOD] = "local period",
		[ANNOTATE_GLOBAL_PERIOD] = "global period",
		[ANNOTATE_LOCAL_HITS] = "local hits",
		[ANNOTATE_GLOBAL_HITS] = "global hits",
	};

	return names[base];
}

const char *annotate_colour(const struct annotate_view *v, double percent)
{
	if (!v->colour || percent <= SHARE_SMALL)
		return "";
	return percent >= MUCH ? "\033[31m" : "\033[32m";
}

const char *annotate_colour_off(const struct annotate_view *v, double percent)
{
	return v->colour && percent > SHARE_SMALL ? "\033[m" : "";
}

void annotate_fit_name(struct text *out, const struct annotate_view *v, const char *name, size_t n,
		       size_t taken)
{
	_cleanup_(text_done) struct text whole = TEXT_EMPTY;

	text_add_bytes(&whole, name, n);
	if (v->columns)
		name_shorten(out, whole.chars, taken < v->columns ? v->columns - taken : 1,
			     v->dots);
	else
		text_add(out, whole.chars);
}

void annotate_add_name(struct text *out, const struct annotate_view *v, const char *name, size_t n,
		       size_t taken)
{
	_cleanup_(text_done) struct text fits = TEXT_EMPTY;

	annotate_fit_name(&fits, v, name, n, taken);
	escape_terminal(out, fits.chars, fits.length);
}

void annotate_add_expanded(struct text *out, size_t from, const char *s, size_t n)
{
	while (n) {
		const char *tab = memchr(s, '\t', n);
		size_t some = tab ? (size_t)(tab - s) : n;
		size_t column;

		escape_terminal(out, s, some);
		if (!tab)
			return;
		column = escape_columns(out->chars + from, out->length - from);
		for (size_t blanks = TAB - column % TAB; blanks > 0; blanks--)
			text_add_char(out, ' ');
		s += some + 1;
		n -= some + 1;
	}
}
