/* SPDX-License-Identifier: MIT */
#include "view/annotate/annotate.h"

#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"

#define TAB 8

/* From these shares on, in percent, colours call for attention. */
#define MUCH 5.0
#define SOME 0.5

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

double annotate_percent(const struct annotate_view *v, const struct listing *l,
			const struct listing_line *line, size_t event)
{
	bool local = v->base == ANNOTATE_LOCAL_PERIOD || v->base == ANNOTATE_LOCAL_HITS;
	bool hits = v->base == ANNOTATE_LOCAL_HITS || v->base == ANNOTATE_GLOBAL_HITS;
	const struct weight *of = local ? &l->function->totals[event] : &v->totals[event];
	const struct weight *w = &line->weights[event];
	uint64_t part = hits ? w->samples : w->period, whole = hits ? of->samples : of->period;

	return whole ? 100.0 * (double)part / (double)whole : 0;
}

bool annotate_is_heavy(const struct annotate_view *v, const struct listing *l,
		       const struct listing_line *line)
{
	for (size_t e = 0; e < v->n_events; e++)
		if (annotate_percent(v, l, line, e) > SOME)
			return true;
	return false;
}

const char *annotate_colour(const struct annotate_view *v, double percent)
{
	if (!v->colour || percent <= SOME)
		return "";
	return percent >= MUCH ? "\033[31m" : "\033[32m";
}

const char *annotate_colour_off(const struct annotate_view *v, double percent)
{
	return v->colour && percent > SOME ? "\033[m" : "";
}

const char *annotate_path(const struct annotate_view *v, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && !v->full_paths ? slash + 1 : path;
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
