/* SPDX-License-Identifier: MIT */
#include "tui/annotate-rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/listing-share.h"
#include "profile/listing.h"
#include "view/annotate/line-text.h"

static void tui_annotate_rows_add(struct annotate_rows *r, int32_t row)
{
	*ARRAY_ADD(r) = row;
}

void annotate_rows_fill(struct annotate_rows *r, const struct line_text *t)
{
	const struct listing *l = t->listing;

	r->n = 0;
	if (!t->view->layout.hide_source) {
		tui_annotate_rows_add(r, ANNOTATE_ROW_BLANK);
		tui_annotate_rows_add(r, ANNOTATE_ROW_BLANK);
		tui_annotate_rows_add(r, ANNOTATE_ROW_SECTION);
		tui_annotate_rows_add(r, ANNOTATE_ROW_BLANK);
		tui_annotate_rows_add(r, ANNOTATE_ROW_SYMBOL);
	}
	for (size_t i = 0; i < l->n; i++)
		if (line_text_shows(t, &l->items[i]))
			tui_annotate_rows_add(r, (int32_t)i);
}

void annotate_rows_done(struct annotate_rows *r)
{
	free(r->items);
	*r = (struct annotate_rows){ 0 };
}

size_t annotate_rows_find(const struct annotate_rows *r, size_t line)
{
	size_t row = BISECT(k, r->n, r->items[k] < (int32_t)line);

	return row < r->n ? row : r->n ? r->n - 1 : 0;
}

size_t annotate_rows_line(const struct annotate_rows *r, size_t row)
{
	while (row < r->n && r->items[row] < 0)
		row++;
	return row < r->n ? (size_t)r->items[row] : 0;
}

/* A line with its shares, for sorting. */
struct hot_line {
	double share; /* that of the first event with different shares: see compare_hot() */
	const struct listing *listing;
	const struct listing_whole *of;
	uint32_t line;
};

static int compare_hot(const void *a, const void *b)
{
	const struct hot_line *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	for (size_t e = 1; e < x->of->n_events; e++) {
		const struct listing_line *lines = x->listing->items;
		double p = listing_share(x->listing, &lines[x->line], e, x->of);
		double q = listing_share(x->listing, &lines[y->line], e, x->of);

		if (p != q)
			return p < q ? 1 : -1;
	}
	return (x->line > y->line) - (x->line < y->line);
}

static bool tui_annotate_rows_has_samples(const struct listing_line *line, size_t n_events)
{
	for (size_t e = 0; line->weights && e < n_events; e++)
		if (line->weights[e].samples)
			return true;
	return false;
}

void annotate_hottest_fill(struct annotate_hottest *h, const struct listing *l,
			   const struct listing_whole *of)
{
	_cleanup_(freep) struct hot_line *hot = xcalloc(l->n + 1, sizeof(*hot));
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (tui_annotate_rows_has_samples(&l->items[i], of->n_events))
			hot[n++] = (struct hot_line){
				.share = listing_share(l, &l->items[i], 0, of),
				.listing = l,
				.of = of,
				.line = (uint32_t)i,
			};
	qsort(hot, n, sizeof(*hot), compare_hot);
	h->n = 0;
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(h) = hot[i].line;
}

void annotate_hottest_done(struct annotate_hottest *h)
{
	free(h->items);
	*h = (struct annotate_hottest){ 0 };
}

size_t annotate_hottest_next(const struct annotate_hottest *h, size_t line, int step)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->items[i] == line)
			return h->items[(i + h->n + (size_t)step) % h->n];
	return h->n ? h->items[0] : line;
}

size_t annotate_line_at(const struct listing *l, uint64_t addr)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].kind == LISTING_CODE && l->items[i].addr == addr)
			return i;
	return l->n;
}

struct annotate_jump annotate_rows_jump(const struct annotate_rows *r, const struct listing *l,
					size_t row)
{
	const struct listing_line *line;
	size_t to;

	if (row >= r->n || r->items[row] < 0)
		return (struct annotate_jump){ 0 };
	line = &l->items[r->items[row]];
	if (!line->jumps_within)
		return (struct annotate_jump){ 0 };
	to = annotate_line_at(l, line->flow.target);
	if (to == l->n)
		return (struct annotate_jump){ 0 };
	return (struct annotate_jump){ .is_there = true,
				       .from = row,
				       .to = annotate_rows_find(r, to) };
}

enum jump_part annotate_jump_part(const struct annotate_jump *j, size_t row)
{
	/* A jump to itself is not drawn. */
	if (!j->is_there || j->from == j->to)
		return JUMP_NOTHING;
	if (row == j->from)
		return j->to > j->from ? JUMP_FROM_ABOVE : JUMP_FROM_BELOW;
	if (row == j->to)
		return j->to > j->from ? JUMP_TO_BELOW : JUMP_TO_ABOVE;
	return (row > j->from) == (row < j->to) ? JUMP_PASSES : JUMP_NOTHING;
}

void annotate_row_add(struct line_text *t, const struct annotate_rows *r, size_t row,
		      struct text *out)
{
	int32_t item = r->items[row];

	if (item == ANNOTATE_ROW_SECTION)
		line_text_add_section(out, t->listing);
	else if (item == ANNOTATE_ROW_SYMBOL)
		line_text_add_symbol(t, out);
	else if (item >= 0 && listing_line_weighs(&t->listing->items[item]))
		line_text_add_code(t, out, &t->listing->items[item]);
	else if (item >= 0)
		line_text_add_note(t, out, &t->listing->items[item]);
}

size_t annotate_rows_search(struct line_text *t, const struct annotate_rows *r, const char *part,
			    size_t from, int step)
{
	struct text text = TEXT_EMPTY;
	size_t found = r->n, row = from;

	for (size_t i = 0; i < r->n && found == r->n; i++) {
		row = (row + r->n + (size_t)step) % r->n;
		text_clear(&text);
		annotate_row_add(t, r, row, &text);
		if (text.length && strcasestr(text.chars, part))
			found = row;
	}
	text_done(&text);
	return found;
}
