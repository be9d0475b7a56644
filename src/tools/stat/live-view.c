/* SPDX-License-Identifier: MIT */
#include "tools/stat/live-view.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "count/stat.h"
#include "tools/stat/aggregate-view.h"
#include "tools/stat/grid-view.h"
#include "tools/stat/history-model.h"
#include "tools/stat/stat-view.h"
#include "view/stat/metric.h"

/*
 * The rows of `perf stat -I` on a terminal, as texts, which tools/stat/live-view.c lays out in
 * columns.
 */

/* A line. Each text is escaped, and NULL if the line does not have it. */
struct live_row {
	char *unit;   /* "CPU0", a cgroup */
	char *name;   /* the event; with --metric-only, the metric */
	char *count;  /* "1,234 msec", "<not counted>" */
	char *rate;   /* "12.3 M/s" */
	char *metric; /* "1.50 insn per cycle" */
	bool has_past;
	size_t past; /* its handle in the history */
};

struct live_rows {
	struct live_row *items;
	size_t n, room;
};

static void live_rows_done(struct live_rows *rows);

struct stat_live_making {
	struct live_rows *rows;
	const struct stat_table *table;
	const struct stat_style *style;
	double seconds;
	struct history *past;
};

static char *stat_live_row_escaped(const char *s)
{
	struct text t = TEXT_EMPTY;

	escape_terminal(&t, s, strlen(s));
	return text_take(&t);
}

/* Returns "CPU0", "S0-D0", "S0-D0 a/cgroup"; NULL for the sum over everything. */
static char *unit_text(const struct stat_table *table, const struct stat_row *r, bool with_cgroup)
{
	const struct stat_aggregate *a = stat_aggregate_find(table->aggregation, r->per_core);
	struct text t = TEXT_EMPTY;
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (a) {
		a->name(&name, r->unit, 0);
		text_add(&t, a->label);
		escape_terminal(&t, name.chars, name.length);
	}
	if (with_cgroup && *r->event->cgroup) {
		text_add(&t, a ? " " : "");
		escape_terminal(&t, r->event->cgroup, strlen(r->event->cgroup));
	}
	if (t.length)
		return text_take(&t);
	text_done(&t);
	return NULL;
}

static char *count_text(const struct stat_row *r, const struct stat_style *style)
{
	struct text t = TEXT_EMPTY;
	const char *unknown = stat_state_text(r->state);

	if (unknown)
		text_add(&t, unknown);
	else
		text_addf(&t, style->big_num ? "%'.*f" : "%.*f", r->event->decimals ? 2 : 0,
			  r->count);
	if (!unknown && *r->event->unit) {
		text_add_char(&t, ' ');
		escape_terminal(&t, r->event->unit, strlen(r->event->unit));
	}
	return text_take(&t);
}

/* Returns a rate with four places and a letter for the power of 1000: "12.3 K/s". */
static char *rate_text(double rate)
{
	static const char powers[] = " KMGTPE";
	size_t power = 0;

	while (fabs(rate) >= 999.95 && powers[power + 1]) {
		rate /= 1000;
		power++;
	}
	return xasprintf("%.1f %c/s", rate, powers[power]);
}

/* Returns the metric without the blanks that align it in the column of other formats. */
static char *metric_text(const struct stat_metric *m, const struct stat_row *r)
{
	struct text t = TEXT_EMPTY;
	_cleanup_(text_done) struct text value = TEXT_EMPTY;

	if (m) {
		stat_metric_add_value(&value, m);
		while (value.length && value.chars[value.length - 1] == ' ')
			value.chars[--value.length] = '\0';
		text_addf(&t, "%s ", value.chars + strspn(value.chars, " "));
		escape_terminal(&t, m->unit, strlen(m->unit));
	}
	if (r && r->running != r->enabled)
		text_addf(&t, "%s(%.0f%%)", t.length ? " " : "", stat_percent_running(r));
	return text_take(&t);
}

static size_t add_past(const struct stat_live_making *m, const char *unit, const char *name,
		       double value)
{
	_cleanup_(freep) char *key = xasprintf("%s\n%s", unit ? unit : "", name);

	return history_add(m->past, key, value);
}

/*
 * True if the metric is shown. A rate per second of CPU time is not, because there is a column for
 * rates of elapsed time.
 */
static bool stat_live_row_is_shown(const struct stat_metric *m)
{
	return stat_metric_is_known(m) && !(m->rate && strstr(m->unit, "/sec"));
}

static void stat_live_row_add_metrics(const struct stat_live_making *m, const struct stat_row *r,
				      bool *first)
{
	for (size_t i = 0; i < r->n_metrics && r->state == STAT_COUNTED; i++) {
		struct live_row *row;

		if (!stat_live_row_is_shown(&r->metrics[i]))
			continue;
		if (!*first)
			ARRAY_ADD(m->rows);
		row = &m->rows->items[m->rows->n - 1];
		row->metric = metric_text(&r->metrics[i], *first ? r : NULL);
		*first = false;
	}
}

static void stat_live_row_add(const struct stat_live_making *m, const struct stat_row *r)
{
	bool counted = r->state == STAT_COUNTED, first = true;
	double rate = counted && m->seconds > 0 ? r->count / m->seconds : NAN;
	struct live_row *row = ARRAY_ADD(m->rows);

	row->unit = unit_text(m->table, r, true);
	row->name = stat_live_row_escaped(r->event->name);
	row->count = count_text(r, m->style);
	row->rate = isfinite(rate) ? rate_text(rate) : NULL;
	row->past = add_past(m, row->unit, row->name, rate);
	row->has_past = true;
	stat_live_row_add_metrics(m, r, &first);
	if (first && counted && r->running != r->enabled)
		m->rows->items[m->rows->n - 1].metric = metric_text(NULL, r);
}

/* Adds a row for a metric of a unit, for --metric-only. */
static void stat_live_row_add_cell(const struct stat_live_making *m, const struct stat_grid *g,
				   size_t line, size_t column)
{
	const struct stat_metric *metric = stat_grid_get(g, line, column);
	struct live_row *row = ARRAY_ADD(m->rows);
	_cleanup_(text_done) struct text value = TEXT_EMPTY;

	row->unit = unit_text(m->table, g->lines.items[line], false);
	row->name = stat_live_row_escaped(g->columns.items[column].heading);
	if (metric) {
		stat_metric_add_value(&value, metric);
		row->count = xstrdup(value.chars + strspn(value.chars, " "));
	}
	row->past = add_past(m, row->unit, row->name, metric ? metric->value : NAN);
	row->has_past = true;
}

static void stat_live_row_add_cells(const struct stat_live_making *m)
{
	_cleanup_(stat_grid_done) struct stat_grid g;

	stat_grid_init(&g, m->table);
	for (size_t line = 0; line < g.lines.n; line++)
		for (size_t column = 0; column < g.columns.n; column++)
			stat_live_row_add_cell(m, &g, line, column);
}

/*
 * Makes the rows of @t, an interval of @seconds, and adds their values to @past. The rows are
 * released with live_rows_done().
 */
static void live_rows_make(struct live_rows *rows, const struct stat_table *t,
			   const struct stat_style *style, double seconds, struct history *past)
{
	const struct stat_live_making m = {
		.rows = rows, .table = t, .style = style, .seconds = seconds, .past = past
	};

	*rows = (struct live_rows){ 0 };
	history_begin(past);
	if (style->metric_only)
		stat_live_row_add_cells(&m);
	for (size_t i = 0; i < t->n_rows && !style->metric_only; i++)
		if (!stat_row_is_hidden(style, &t->rows[i]))
			stat_live_row_add(&m, &t->rows[i]);
	history_end(past);
}

static void live_rows_done(struct live_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct live_row *r = &rows->items[i];

		free(r->unit);
		free(r->name);
		free(r->count);
		free(r->rate);
		free(r->metric);
	}
	free(rows->items);
}

/* The minimum and maximum widths of a spark line, and of a name that is cut. */
#define SPARK_MIN 8
#define SPARK_MAX 60
#define NAME_MIN  12

/* The minimum width of a metric. Less would be useless. */
#define METRIC_MIN 8

#define GAP 2

struct stat_live_widths {
	size_t unit, name, count, rate, spark, metric; /* 0: the column does not exist */
};

struct stat_live_page {
	const struct stat_live_style *style;
	const struct history *past;
	const struct live_rows *rows;
	struct stat_live_widths width;
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

/* Returns the columns that are left for spark lines. */
static size_t stat_live_rest_of(const struct stat_live_widths *w, size_t columns)
{
	size_t used = 1 + with_gap(w->unit) + with_gap(w->name) + with_gap(w->count) +
		      with_gap(w->rate) + w->metric;

	return columns > used + GAP ? columns - used - GAP : 0;
}

/* Takes up to @wanted columns from @width, which keeps at least @least. */
static void stat_live_shrink(size_t *width, size_t least, size_t wanted)
{
	size_t spare = *width > least ? *width - least : 0;

	*width -= spare < wanted ? spare : wanted;
}

/*
 * Fits the columns. Metrics are narrowed first, then names; if necessary the spark line is dropped.
 */
static void stat_live_fit(struct stat_live_widths *w, size_t columns)
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

static void stat_live_measure(struct stat_live_page *p)
{
	struct stat_live_widths *w = &p->width;

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

/* Appends the part of @s that fits. A name that was cut ends in '~'. */
static size_t add_cut(struct text *t, const char *s, size_t width)
{
	size_t n = strlen(s), columns = escape_columns(s, n);

	if (columns <= width) {
		text_add(t, s);
		return columns;
	}
	while (n && escape_columns(s, n) + 1 > width)
		n--;
	/* A character must not be cut in its middle. */
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

static void stat_live_add_left(struct stat_live_page *p, const char *s, size_t width)
{
	size_t used;

	if (!width)
		return;
	used = add_cut(p->out, s ? s : "", width);
	stat_live_add_blanks(p->out, width - used + GAP);
}

static void stat_live_add_right(struct stat_live_page *p, const char *s, size_t width)
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

static void add_spark(struct stat_live_page *p, const struct live_row *r)
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

static void stat_live_add_row(struct stat_live_page *p, const struct live_row *r)
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

static void stat_live_add_heading(struct stat_live_page *p, bool metrics)
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
	struct stat_live_page p = { .style = style, .past = l->past, .rows = &rows, .out = &lines };

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

#define LEVELS 8

static const char shades[LEVELS + 1] = "_.-:=+*#";

struct stat_live_span {
	double least, greatest;
};

static struct stat_live_span span_of(const double *values, size_t n)
{
	struct stat_live_span s = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		s.least = values[i] < s.least ? values[i] : s.least;
		s.greatest = values[i] > s.greatest ? values[i] : s.greatest;
	}
	return s;
}

/*
 * Returns a level from 0 to LEVELS - 1. In a line with different values, only the least value has
 * level 0.
 */
static unsigned spark_level_of(double value, struct stat_live_span s)
{
	double share = s.greatest > s.least ? (value - s.least) / (s.greatest - s.least) : 0;
	unsigned level = (unsigned)ceil(share * (LEVELS - 1));

	return level < LEVELS ? level : LEVELS - 1;
}

static void spark_add_bar(struct text *t, double value, struct stat_live_span s, bool ascii)
{
	unsigned level;

	if (!isfinite(value)) {
		text_add_char(t, ' ');
		return;
	}
	level = spark_level_of(value, s);
	if (ascii)
		text_add_char(t, shades[level]);
	else /* U+2581 to U+2588 */
		text_add_bytes(t, (char[]){ '\xe2', '\x96', (char)(0x81 + level) }, 3);
}

void spark_add(struct text *t, const double *values, size_t n, size_t width, bool ascii)
{
	size_t shown = n < width ? n : width;
	const double *first = values + (n - shown);
	struct stat_live_span s = span_of(first, shown);

	for (size_t i = shown; i < width; i++)
		text_add_char(t, ' ');
	for (size_t i = 0; i < shown; i++)
		spark_add_bar(t, first[i], s, ascii);
}
