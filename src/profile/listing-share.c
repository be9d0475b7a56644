/* SPDX-License-Identifier: MIT */
#include "profile/listing-share.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "profile/source-text.h"

double listing_share(const struct listing *l, const struct listing_line *line, size_t event,
		     const struct listing_whole *of)
{
	bool local = of->base == ANNOTATE_LOCAL_PERIOD || of->base == ANNOTATE_LOCAL_HITS;
	bool hits = of->base == ANNOTATE_LOCAL_HITS || of->base == ANNOTATE_GLOBAL_HITS;
	const struct weight *whole = local ? &l->function->totals[event] : &of->totals[event];
	const struct weight *w = &line->weights[event];

	return hits ? percent_of(w->samples, whole->samples) : percent_of(w->period, whole->period);
}

bool listing_line_is_heavy(const struct listing *l, const struct listing_line *line,
			   const struct listing_whole *of)
{
	for (size_t e = 0; e < of->n_events; e++)
		if (listing_share(l, line, e, of) > SHARE_SMALL)
			return true;
	return false;
}

static bool listing_share_has_samples(const struct listing_line *line, size_t n_events)
{
	for (size_t e = 0; e < n_events; e++)
		if (line->weights[e].samples)
			return true;
	return false;
}

/* The state of summing up lines: their shares, and which lines they are. */
struct summing {
	struct source_shares *shares;
	const struct source_line **lines; /* one for each share */
	size_t n_events;
	bool full_paths;
};

static bool listing_share_is_same(const struct source_line *a, const struct source_line *b)
{
	if (!a->file || !b->file)
		return a->file == b->file;
	return a->line == b->line && !strcmp(a->file, b->file);
}

static const char *listing_share_place_of(struct summing *s, const struct source_line *at)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!at->file)
		return SOURCE_UNKNOWN;
	source_line_text(at, s->full_paths, &t);
	return arena_strndup(&s->shares->arena, t.chars, t.length);
}

/* Returns the shares of the line @at. */
static double *listing_share_find(struct summing *s, const struct source_line *at)
{
	struct source_shares *shares = s->shares;
	double *percents;
	size_t i = 0;

	while (i < shares->n && !listing_share_is_same(s->lines[i], at))
		i++;
	if (i < shares->n)
		return (double *)shares->items[i].percents;
	percents = arena_alloc(&shares->arena, s->n_events * sizeof(*percents));
	s->lines[i] = at;
	*ARRAY_ADD(shares) = (struct source_share){ .place = listing_share_place_of(s, at),
						    .percents = percents };
	return percents;
}

/* Compares by one event after the other, then by name in reverse, as Linux's perf does. */
static int listing_share_by(const void *a, const void *b, void *n_events)
{
	const struct source_share *x = a, *y = b;

	for (size_t e = 0; e < *(const size_t *)n_events; e++)
		if (x->percents[e] != y->percents[e])
			return x->percents[e] < y->percents[e] ? 1 : -1;
	return strcmp(y->place, x->place);
}

static void listing_share_settle(struct source_shares *s, size_t n_events)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t e = 0; e < n_events; e++)
			if (s->items[i].percents[e] > s->items[i].most)
				s->items[i].most = s->items[i].percents[e];
	if (s->n)
		qsort_r(s->items, s->n, sizeof(s->items[0]), listing_share_by, &n_events);
}

void source_shares_init(struct source_shares *ret, const struct listing *l,
			const struct listing_whole *of, bool full_paths)
{
	_cleanup_(freep) const struct source_line **lines = xcalloc(l->n + 1, sizeof(*lines));
	struct summing s = {
		.shares = ret, .lines = lines, .n_events = of->n_events, .full_paths = full_paths
	};

	*ret = (struct source_shares){ 0 };
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];
		double *percents;

		if (!listing_line_weighs(line) || !listing_share_has_samples(line, of->n_events))
			continue;
		percents = listing_share_find(&s, &line->at);
		for (size_t e = 0; e < of->n_events; e++)
			percents[e] += listing_share(l, line, e, of);
	}
	listing_share_settle(ret, of->n_events);
}

void source_shares_done(struct source_shares *s)
{
	free(s->items);
	arena_done(&s->arena);
}
