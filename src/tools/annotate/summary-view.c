/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "view/annotate/annotate.h"

#define RULE "----------------------------------------------"

static void annotate_summary_add_row(struct text *out, const struct annotate_view *v,
				     const struct source_share *s)
{
	for (size_t e = 0; e < v->whole.n_events; e++)
		text_addf(out, "%s%8.2f%s", annotate_colour(v, s->percents[e]), s->percents[e],
			  annotate_colour_off(v, s->percents[e]));
	text_addf(out, "%s ", annotate_colour(v, s->most));
	escape_terminal(out, s->place, strlen(s->place));
	text_add_char(out, '\n');
	text_add(out, annotate_colour_off(v, s->most));
}

void annotate_summary_add(struct text *out, const struct annotate_view *v, const struct listing *l)
{
	const char *name = image_long_name(l->function->image);
	_cleanup_(source_shares_done) struct source_shares s;
	size_t begin;

	source_shares_init(&s, l, &v->whole, v->full_paths);
	text_add(out, "\nSorted summary for file ");
	escape_terminal(out, name, strlen(name));
	text_add(out, "\n" RULE "\n\n");
	begin = out->length;
	for (size_t i = 0; i < s.n; i++)
		if (s.items[i].most > SHARE_SMALL)
			annotate_summary_add_row(out, v, &s.items[i]);
	if (out->length == begin)
		text_addf(out, " Nothing higher than %1.1f%%\n", SHARE_SMALL);
}
