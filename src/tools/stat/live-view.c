/* SPDX-License-Identifier: MIT */
#include "tools/stat/live-view.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/stat/history-model.h"
#include "tools/stat/live-row-view.h"
#include "tools/stat/spark-view.h"

/* Columns that a spark line has at least and at most, and those of a name that is cut. */
#define SPARK_MIN 8
#define SPARK_MAX 60
#define NAME_MIN  12

/* A metric that is cut off earlier says nothing. */
#define METRIC_MIN 8

#define GAP 2

struct widths {
	size_t unit, name, count, rate, spark, metric; /* 0: there is no such column */
};

struct page {
	const struct stat_live_style *style;
	const struct history *past;
	const struct live_rows *rows;
	struct widths width;
	struct text *out;
};

static size_t stat_live_columns_of(const char *s)
{
	return s ? escape_columns(s, strlen(s)) : 0;
}

static void stat_live_widen(size_t *width, const char *s)
{
	size_t columns = stat_live_columns_of(s);

	*width = columns > *width ? columns : *width;
}

static size_t with_gap(size_t width)
{
	return width ? width + GAP : 0;
}

/* What spark lines have when all others are as they are. */
static size_t stat_live_rest_of(const struct widths *w, size_t columns)
{
	size_t used = 1 + with_gap(w->unit) + with_gap(w->name) + with_gap(w->count) +
		      with_gap(w->rate) + w->metric;

	return columns > used + GAP ? columns - used - GAP : 0;
}

/* Takes up to @wanted columns off @width, which keeps @least. */
static void stat_live_shrink(size_t *width, size_t least, size_t wanted)
{
	size_t spare = *width > least ? *width - least : 0;

	*width -= spare < wanted ? spare : wanted;
}

/* Metrics give way first, then names; in the end there is no spark line. */
static void stat_live_fit(struct widths *w, size_t columns)
{
	for (int i = 0; i < 3 && stat_live_rest_of(w, columns) < SPARK_MIN; i++) {
		size_t missing = SPARK_MIN + with_gap(w->unit) + with_gap(w->name) +
				 with_gap(w->count) + with_gap(w->rate) + w->metric + 1 + GAP;

		missing = missing > columns ? missing - columns : 0;
		if (i == 0)
			stat_live_shrink(&w->name, 2 * NAME_MIN, missing);
		else if (i == 1)
			stat_live_shrink(&w->metric, 0, missing);
		else
			stat_live_shrink(&w->name, NAME_MIN, missing);
	}
	if (w->metric < METRIC_MIN)
		w->metric = 0;
	w->spark = stat_live_rest_of(w, columns);
	if (w->spark > SPARK_MAX)
		w->spark = SPARK_MAX;
}

static void stat_live_measure(struct page *p)
{
	struct widths *w = &p->width;

	w->name = strlen("event");
	for (size_t i = 0; i < p->rows->n; i++) {
		const struct live_row *r = &p->rows->items[i];

		stat_live_widen(&w->unit, r->unit);
		stat_live_widen(&w->name, r->name);
		stat_live_widen(&w->count, r->count);
		stat_live_widen(&w->rate, r->rate);
		stat_live_widen(&w->metric, r->metric);
	}
	if (w->count)
		stat_live_widen(&w->count, "count");
	if (w->rate)
		stat_live_widen(&w->rate, "per second");
	stat_live_fit(w, p->style->columns);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* As much of @s as fits; a name that was cut ends in '~'. */
static size_t add_cut(struct text *t, const char *s, size_t width)
{
	size_t n = strlen(s), columns = escape_columns(s, n);

	if (columns <= width) {
		text_add(t, s);
		return columns;
	}
	while (n && escape_columns(s, n) + 1 > width)
		n--;
	/* Not in the middle of a character. */
	while (n && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	text_add_bytes(t, s, n);
	columns = escape_columns(s, n);
	if (columns < width)
		text_add_char(t, '~');
	return columns + (columns < width);
}

static void stat_live_add_blanks(struct text *t, size_t n)
{
	text_pad(t, t->length, n, 0, ' ');
}

static void stat_live_add_left(struct page *p, const char *s, size_t width)
{
	size_t used;

	if (!width)
		return;
	used = add_cut(p->out, s ? s : "", width);
	stat_live_add_blanks(p->out, width - used + GAP);
}

static void stat_live_add_right(struct page *p, const char *s, size_t width)
{
	size_t columns = stat_live_columns_of(s);

	if (!width)
		return;
	stat_live_add_blanks(p->out, columns < width ? width - columns : 0);
	add_cut(p->out, s ? s : "", width);
	stat_live_add_blanks(p->out, GAP);
}

static void stat_live_end_line(struct text *t)
{
	while (t->length && t->chars[t->length - 1] == ' ')
		t->chars[--t->length] = '\0';
	text_add_char(t, '\n');
}

static void add_spark(struct page *p, const struct live_row *r)
{
	size_t width = p->width.spark;

	if (!width)
		return;
	if (r->has_past) {
		struct past past = history_get(p->past, r->past);

		spark_add(p->out, past.values, past.n, width, p->style->ascii);
	} else {
		stat_live_add_blanks(p->out, width);
	}
	stat_live_add_blanks(p->out, GAP);
}

static void stat_live_add_row(struct page *p, const struct live_row *r)
{
	text_add_char(p->out, ' ');
	stat_live_add_left(p, r->unit, p->width.unit);
	stat_live_add_left(p, r->name, p->width.name);
	stat_live_add_right(p, r->count, p->width.count);
	stat_live_add_right(p, r->rate, p->width.rate);
	add_spark(p, r);
	if (p->width.metric && r->metric)
		add_cut(p->out, r->metric, p->width.metric);
	stat_live_end_line(p->out);
}

static void stat_live_add_heading(struct page *p, bool metrics)
{
	text_add_char(p->out, ' ');
	stat_live_add_left(p, "", p->width.unit);
	stat_live_add_left(p, metrics ? "metric" : "event", p->width.name);
	stat_live_add_right(p, metrics ? "value" : "count", p->width.count);
	stat_live_add_right(p, "per second", p->width.rate);
	stat_live_add_left(p, p->width.spark < strlen("intervals") ? "past" : "intervals",
			   p->width.spark);
	if (p->width.metric)
		add_cut(p->out, "metric", p->width.metric);
	stat_live_end_line(p->out);
}

void stat_live_print(struct stat_live *l, const struct stat_view *v, const struct stat_table *t,
		     const struct stat_live_style *style, FILE *out)
{
	_cleanup_(live_rows_done) struct live_rows rows;
	_cleanup_(text_done) struct text lines = TEXT_EMPTY;
	struct page p = { .style = style, .past = l->past, .rows = &rows, .out = &lines };

	uint64_t ns = t->time_ns - l->before_ns;

	live_rows_make(&rows, t, &v->style, (double)ns / 1e9, l->past);
	l->before_ns = t->time_ns;
	stat_live_measure(&p);
	text_addf(&lines, "After %.3f seconds, of the last %.0f ms:\n\n", (double)t->time_ns / 1e9,
		  (double)ns / 1e6);
	stat_live_add_heading(&p, v->style.metric_only);
	for (size_t i = 0; i < rows.n; i++)
		stat_live_add_row(&p, &rows.items[i]);
	fwrite(lines.chars, 1, lines.length, out);
}
