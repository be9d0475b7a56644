/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "view/annotate/annotate.h"

/* Lines below this share, in percent, are left out. */
#define WORTH_TELLING 0.5

#define RULE "----------------------------------------------"

struct summed_line {
	const char *file; /* NULL: unknown */
	uint32_t line;
	double *percents; /* one for each event */
	char *place;      /* as it is shown */
};

struct summary {
	struct summed_line *items;
	size_t n, room;
};

static bool is_same(const struct summed_line *s, const struct source_line *at)
{
	if (!s->file || !at->file)
		return s->file == at->file;
	return s->line == at->line && !strcmp(s->file, at->file);
}

static struct summed_line *find(struct summary *s, const struct annotate_view *v,
				const struct source_line *at)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_same(&s->items[i], at))
			return &s->items[i];

	struct summed_line *line = ARRAY_ADD(s);

	line->file = at->file;
	line->line = at->line;
	line->percents = xcalloc(v->n_events, sizeof(*line->percents));
	line->place = at->file ? xasprintf("%s:%u", annotate_path(v, at->file), at->line)
			       : xstrdup("??:0");
	return line;
}

/* The largest first, by one event after the other; then backwards by name, as in Linux's perf. */
static int by_share(const void *a, const void *b, void *n_events)
{
	const struct summed_line *x = a, *y = b;

	for (size_t e = 0; e < *(const size_t *)n_events; e++)
		if (x->percents[e] != y->percents[e])
			return x->percents[e] < y->percents[e] ? 1 : -1;
	return strcmp(y->place, x->place);
}

static void sum_up(struct summary *s, const struct annotate_view *v, const struct listing *l)
{
	size_t n_events = v->n_events;

	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];
		struct summed_line *sum;
		bool weighs = false;

		if (line->kind != LISTING_CODE && line->kind != LISTING_MORE)
			continue;
		for (size_t e = 0; e < v->n_events; e++)
			weighs |= line->weights[e].samples > 0;
		if (!weighs)
			continue;
		sum = find(s, v, &line->at);
		for (size_t e = 0; e < v->n_events; e++)
			sum->percents[e] += annotate_percent(v, l, line, e);
	}
	if (s->n)
		qsort_r(s->items, s->n, sizeof(s->items[0]), by_share, &n_events);
}

static void add_row(struct text *out, const struct annotate_view *v, const struct summed_line *s)
{
	double most = 0;

	for (size_t e = 0; e < v->n_events; e++)
		most = s->percents[e] > most ? s->percents[e] : most;
	if (most <= WORTH_TELLING)
		return;
	for (size_t e = 0; e < v->n_events; e++)
		text_addf(out, "%s%8.2f%s", annotate_colour(v, s->percents[e]), s->percents[e],
			  annotate_colour_off(v, s->percents[e]));
	text_addf(out, "%s ", annotate_colour(v, most));
	escape_terminal(out, s->place, strlen(s->place));
	text_add_char(out, '\n');
	text_add(out, annotate_colour_off(v, most));
}

void annotate_summary_add(struct text *out, const struct annotate_view *v, const struct listing *l)
{
	const char *name = image_long_name(l->function->image);
	struct summary s = { 0 };
	size_t begin;

	sum_up(&s, v, l);
	text_add(out, "\nSorted summary for file ");
	escape_terminal(out, name, strlen(name));
	text_add(out, "\n" RULE "\n\n");
	begin = out->length;
	for (size_t i = 0; i < s.n; i++)
		add_row(out, v, &s.items[i]);
	if (out->length == begin)
		text_addf(out, " Nothing higher than %1.1f%%\n", WORTH_TELLING);
	for (size_t i = 0; i < s.n; i++) {
		free(s.items[i].percents);
		free(s.items[i].place);
	}
	free(s.items);
}
