/* SPDX-License-Identifier: MIT */
#include "tools/stat/text-view.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/squeeze.h"
#include "count/stat.h"
#include "tools/stat/aggregate-view.h"
#include "tools/stat/grid-view.h"
#include "view/stat/metric.h"

#define COUNT_WIDTH   18
#define UNIT_WIDTH    4
#define NAME_WIDTH    32
#define UNKNOWN_WIDTH 25 /* the width of a name without a count */
#define METRIC_WIDTH  35
#define COLUMN_WIDTH  20
#define HEADING_EVERY 25 /* a heading follows after this many intervals */

/* The position of the metric of a second line. It has never been aligned with the first. */
#define SECOND_INDENT     49
#define SECOND_INDENT_CPU 57

#define TIME_HEADING  "#           time "
#define COUNT_HEADING "            counts"

/* One printing: the common data of its lines. */
struct stat_text_page {
	const struct stat_view *view;
	const struct stat_table *table;
	int unit_width;
	struct text *out;
};

static void stat_text_add_blanks(struct text *t, size_t n)
{
	text_pad(t, t->length, n, 0, ' ');
}

static void stat_text_add_right(struct text *t, const char *s, size_t width)
{
	size_t columns = escape_columns(s, strlen(s));

	stat_text_add_blanks(t, columns < width ? width - columns : 0);
	text_add(t, s);
}

static void stat_text_add_left(struct text *t, const char *s, size_t width)
{
	size_t from = t->length, columns;

	escape_terminal(t, s, strlen(s));
	columns = escape_columns(t->chars + from, t->length - from);
	stat_text_add_blanks(t, columns < width ? width - columns : 0);
}

static void stat_text_add_prefix(struct stat_text_page *p, const struct stat_row *r)
{
	if (stat_is_interval(p->table)) {
		stat_add_time(p->out, p->table->time_ns, 6);
		text_add_char(p->out, ' ');
	}
	stat_aggregate_add_text(p->out, p->table->aggregation, r);
}

static void stat_text_add_count(struct stat_text_page *p, const struct stat_row *r)
{
	_cleanup_(text_done) struct text number = TEXT_EMPTY;
	const char *unknown = stat_state_text(r->state);
	int decimals = r->event->decimals ? 2 : 0;

	if (unknown)
		text_add(&number, unknown);
	else if (p->view->style.big_num)
		text_addf(&number, "%'.*f", decimals, r->count);
	else
		text_addf(&number, "%.*f", decimals, r->count);
	stat_text_add_right(p->out, number.chars, COUNT_WIDTH);
}

static void stat_text_add_value(struct stat_text_page *p, const struct stat_metric *m,
				const char *value)
{
	const char *colour = p->view->style.colour ? stat_metric_colour(m->level) : "";

	text_addf(p->out, "%s%s%s", colour, value, *colour ? STAT_COLOUR_OFF : "");
}

/* " #    1.50  insn per cycle         " */
static void stat_text_add_metric(struct stat_text_page *p, const struct stat_metric *m)
{
	_cleanup_(text_done) struct text value = TEXT_EMPTY;
	size_t used;

	stat_metric_add_value(&value, m);
	text_add(p->out, " # ");
	stat_text_add_value(p, m, value.chars);
	text_add_char(p->out, ' ');
	used = 3 + value.length + 1;
	stat_text_add_left(p->out, m->unit, used < METRIC_WIDTH ? METRIC_WIDTH - used : 0);
}

static void stat_text_add_second_line(struct stat_text_page *p, const struct stat_row *r)
{
	text_add_char(p->out, '\n');
	stat_text_add_prefix(p, r);
	stat_text_add_blanks(p->out,
			     p->table->aggregation == STAT_CPU ? SECOND_INDENT_CPU : SECOND_INDENT);
}

static void stat_text_add_metrics(struct stat_text_page *p, const struct stat_row *r)
{
	size_t n = r->n_metrics;

	if (!n || !stat_metric_is_shown(r, &r->metrics[0]))
		stat_text_add_blanks(p->out, METRIC_WIDTH);
	for (size_t i = 0; i < n; i++) {
		if (!stat_metric_is_shown(r, &r->metrics[i]))
			continue;
		if (i && !r->metrics[i].same_line)
			stat_text_add_second_line(p, r);
		stat_text_add_metric(p, &r->metrics[i]);
	}
}

static void stat_text_add_row(struct stat_text_page *p, const struct stat_row *r)
{
	bool counted = r->state == STAT_COUNTED;
	bool wide = counted || (r->n_metrics && stat_metric_is_shown(r, &r->metrics[0]));

	stat_text_add_prefix(p, r);
	stat_text_add_count(p, r);
	text_add_char(p->out, ' ');
	stat_text_add_left(p->out, r->event->unit, (size_t)p->unit_width);
	text_add_char(p->out, ' ');
	stat_text_add_left(p->out, r->event->name, wide ? NAME_WIDTH : UNKNOWN_WIDTH);
	if (p->table->has_cgroups) {
		text_add_char(p->out, ' ');
		stat_text_add_left(p->out, r->event->cgroup, 0);
	}
	stat_text_add_metrics(p, r);
	if (counted && p->table->runs > 1)
		stat_noise_add(p->out, r->noise);
	if (r->running != r->enabled)
		text_addf(p->out, "  (%.2f%%)", stat_percent_running(r));
	text_add_char(p->out, '\n');
}

static void stat_text_add_cell(struct stat_text_page *p, const struct stat_metric *m, size_t width)
{
	_cleanup_(text_done) struct text value = TEXT_EMPTY;
	const char *digits;
	size_t length;

	if (!m) {
		stat_text_add_blanks(p->out, width + 1);
		return;
	}
	stat_metric_add_value(&value, m);
	digits = value.chars + strspn(value.chars, " ");
	length = strlen(digits);
	stat_text_add_blanks(p->out, length < width ? width - length : 0);
	stat_text_add_value(p, m, digits);
	text_add_char(p->out, ' ');
}

/* Appends the heading of a column to @t. Returns the width of the column. */
static size_t stat_text_add_column(struct text *t, const struct stat_column *c)
{
	_cleanup_(text_done) struct text heading = TEXT_EMPTY;
	size_t columns;

	stat_text_add_left(&heading, c->heading, 0);
	stat_text_add_right(t, heading.chars, COLUMN_WIDTH);
	columns = escape_columns(heading.chars, heading.length);
	return columns > COLUMN_WIDTH ? columns : COLUMN_WIDTH;
}

static void stat_text_add_grid_line(struct stat_text_page *p, const struct stat_grid *g,
				    size_t line)
{
	stat_text_add_prefix(p, g->lines.items[line]);
	for (size_t i = 0; i < g->columns.n; i++) {
		_cleanup_(text_done) struct text heading = TEXT_EMPTY;
		size_t width = stat_text_add_column(&heading, &g->columns.items[i]);

		stat_text_add_cell(p, stat_grid_get(g, line, i), width);
	}
	text_add_char(p->out, '\n');
}

/*
 * Appends the heading. Only intervals name the first columns; in a frame the rows are clear without
 * it.
 */
static void stat_text_add_heading(struct stat_text_page *p, const struct stat_grid *g)
{
	const struct stat_aggregate *a = stat_aggregate_find(p->table->aggregation, false);
	const char *heading = a ? a->heading : "";

	if (stat_is_interval(p->table))
		text_addf(p->out, TIME_HEADING "%s", heading);
	else
		stat_text_add_blanks(p->out, strlen(heading));
	for (size_t i = 0; g && i < g->columns.n; i++) {
		stat_text_add_column(p->out, &g->columns.items[i]);
		text_add_char(p->out, ' ');
	}
	if (!g)
		text_addf(p->out, COUNT_HEADING " %*s events", p->unit_width, "unit");
	text_add_char(p->out, '\n');
}

static void stat_text_add_grid(struct stat_text_page *p, bool with_heading)
{
	_cleanup_(stat_grid_done) struct stat_grid g;

	stat_grid_init(&g, p->table);
	if (with_heading)
		stat_text_add_heading(p, &g);
	for (size_t i = 0; i < g.lines.n; i++)
		stat_text_add_grid_line(p, &g, i);
}

static void stat_text_add_rows(struct stat_text_page *p, bool with_heading)
{
	if (with_heading)
		stat_text_add_heading(p, NULL);
	for (size_t i = 0; i < p->table->n_rows; i++)
		if (!stat_row_is_hidden(&p->view->style, &p->table->rows[i]))
			stat_text_add_row(p, &p->table->rows[i]);
}

static void add_hidden(struct stat_text_page *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->table->n_rows; i++)
		n += stat_row_is_hidden(&p->view->style, &p->table->rows[i]);
	if (n)
		text_addf(p->out, "\n   (%zu %s not shown: nothing was counted)\n", n,
			  n == 1 ? "row is" : "rows are");
}

static void stat_text_add_title(struct stat_text_page *p)
{
	static const char *const before[] = {
		[STAT_TARGET_COMMAND] = "'",
		[STAT_TARGET_PROCESSES] = "process id '",
		[STAT_TARGET_THREADS] = "thread id '",
		[STAT_TARGET_CPUS] = "'CPU(s) ",
		[STAT_TARGET_SYSTEM] = "'system wide",
		[STAT_TARGET_USER] = "user id '",
		[STAT_TARGET_BPF] = "'BPF program(s) ",
	};
	const struct stat_title *title = &p->view->title;

	text_addf(p->out, "\n Performance counter stats for %s", before[title->target]);
	if (title->target != STAT_TARGET_SYSTEM)
		stat_text_add_left(p->out, title->text, 0);
	text_add_char(p->out, '\'');
	if (p->table->runs > 1)
		text_addf(p->out, " (%u runs)", p->table->runs);
	text_add(p->out, ":\n\n");
}

static void stat_text_add_interval(struct stat_text_page *p)
{
	const struct stat_style *s = &p->view->style;
	bool with_heading = s->clear || p->view->intervals % HEADING_EVERY == 0;

	if (s->clear)
		text_add(p->out, "\033[H\033[2J");
	if (s->metric_only)
		stat_text_add_grid(p, with_heading);
	else
		stat_text_add_rows(p, with_heading);
}

static void stat_text_add_whole(struct stat_text_page *p)
{
	const struct stat_style *s = &p->view->style;

	stat_text_add_title(p);
	if (!s->null_run) {
		if (s->metric_only)
			stat_text_add_grid(p, true);
		else
			stat_text_add_rows(p, false);
		if (!s->metric_only)
			add_hidden(p);
		text_add_char(p->out, '\n');
	}
	stat_elapsed_add(p->out, p->table, s->list_runs);
}

static int widest_unit(const struct stat_table *t)
{
	size_t width = UNIT_WIDTH;

	for (size_t i = 0; i < t->n_rows; i++) {
		const char *unit = t->rows[i].event->unit;
		size_t columns = escape_columns(unit, strlen(unit));

		width = columns > width ? columns : width;
	}
	return (int)width;
}

/*
 * Returns the number of blanks before the metric in a line of @n characters; *@ret_from becomes
 * their beginning.
 */
static size_t metric_gap(const char *line, size_t n, const char **ret_from)
{
	const char *mark = memmem(line, n, " #", 2), *from = mark;

	if (!mark)
		return 0;
	while (from > line && from[-1] == ' ')
		from--;
	*ret_from = from;
	return (size_t)(mark + 1 - from);
}

/*
 * Returns the number of columns that can be removed before metrics in all lines, so that they fit
 * into @columns.
 */
static size_t spare_columns(const struct text *lines, size_t columns)
{
	size_t over = 0, spare = SIZE_MAX, n;

	for (const char *line = lines->chars; *line; line += n + (line[n] == '\n')) {
		const char *from;
		size_t gap, width;

		n = strcspn(line, "\n");
		width = escape_columns(line, n);
		gap = metric_gap(line, n, &from);
		if (gap && gap - 1 < spare)
			spare = gap - 1;
		if (gap && width > columns && width - columns > over)
			over = width - columns;
	}
	return over < spare ? over : spare;
}

/*
 * For a terminal: removes blanks at the end of lines, and, if necessary, between names and metrics.
 */
static void fit_lines(struct text *lines, size_t columns)
{
	_cleanup_(text_done) struct text fitted = TEXT_EMPTY;
	size_t spare, n;

	text_trim_lines(lines);
	spare = spare_columns(lines, columns);
	for (const char *line = lines->chars; spare && *line; line += n + (line[n] == '\n')) {
		const char *from = line;
		size_t cut;

		n = strcspn(line, "\n");
		cut = metric_gap(line, n, &from) ? spare : 0;
		text_add_bytes(&fitted, line, (size_t)(from - line));
		text_add_bytes(&fitted, from + cut, n - cut - (size_t)(from - line));
		if (line[n])
			text_add_char(&fitted, '\n');
	}
	if (spare)
		text_swap(lines, &fitted);
}

static void stat_text_squeeze(struct text *lines, size_t columns)
{
	_cleanup_(text_done) struct text fitted = TEXT_EMPTY;

	text_add_squeezed(&fitted, lines->chars, columns);
	text_swap(lines, &fitted);
}

void stat_text_print(struct stat_view *v, const struct stat_table *t, FILE *out)
{
	_cleanup_(text_done) struct text lines = TEXT_EMPTY;
	struct stat_text_page p = {
		.view = v, .table = t, .unit_width = widest_unit(t), .out = &lines
	};

	if (stat_is_interval(t)) {
		stat_text_add_interval(&p);
		v->intervals++;
	} else {
		stat_text_add_whole(&p);
	}
	if (v->style.columns)
		fit_lines(&lines, v->style.columns);
	/* Intervals are printed one by one, and must have the same columns. */
	if (v->style.columns && !stat_is_interval(t))
		stat_text_squeeze(&lines, v->style.columns);
	fputs(lines.chars, out);
}

/*
 * The maximum length of a bar, which fits into any terminal. Beyond it only the numbers are exact.
 */
#define BAR_MAX 50

void stat_noise_add(struct text *t, double percent)
{
	if (percent != 0)
		text_addf(t, "  ( +-%6.2f%% )", percent);
}

static void add_one_run(struct text *t, const struct stat_table *table)
{
	text_addf(t, "%18.9f seconds time elapsed\n", table->elapsed_s);
	if (table->has_rusage)
		text_addf(t, "\n%18.9f seconds user\n%18.9f seconds sys\n\n", table->user_s,
			  table->system_s);
}

/*
 * Returns the number of decimals: three digits of the error, but at least two decimals, and at most
 * 12, because the clock is not more precise.
 */
static int stat_elapsed_decimals(double error)
{
	double n = error > 0 ? 2 - floor(log10(error)) : 1;

	return error > 0 ? (int)fmin(fmax(n, 2), 12) : 1;
}

static void stat_elapsed_add_bar(struct text *t, double time, double mean)
{
	double share = time > 0 ? 100 * fabs(time - mean) / time : INFINITY;
	size_t length = share / 5 < BAR_MAX - 1 ? (size_t)(share / 5) + 1 : BAR_MAX;

	text_pad(t, t->length, length, 0, '#');
}

static void add_runs(struct text *t, const struct stat_table *table, int digits)
{
	struct text mean = TEXT_EMPTY;
	int indent;

	text_addf(&mean, "%18.*f", digits, table->elapsed_s);
	indent = (int)strspn(mean.chars, " ");
	text_done(&mean);

	text_addf(t, "%*s# Table of individual measurements:\n", indent, "");
	for (unsigned i = 0; i < table->runs; i++) {
		double time = table->run_times_s[i];

		text_addf(t, "%18.*f (%+.*f) ", digits, time, digits, time - table->elapsed_s);
		stat_elapsed_add_bar(t, time, table->elapsed_s);
		text_add_char(t, '\n');
	}
	text_addf(t, "\n%*s# Final result:\n", indent, "");
}

static void add_mean(struct text *t, const struct stat_table *table, int digits)
{
	double mean = table->elapsed_s, error = table->elapsed_error_s;

	text_addf(t, "%18.*f +- %.*f seconds time elapsed", digits, mean, digits, error);
	stat_noise_add(t, mean > 0 ? 100 * error / mean : 0);
	text_add_char(t, '\n');
}

void stat_elapsed_add(struct text *t, const struct stat_table *table, bool list_runs)
{
	int digits = stat_elapsed_decimals(table->elapsed_error_s);

	if (table->runs <= 1) {
		add_one_run(t, table);
	} else {
		if (list_runs && table->run_times_s)
			add_runs(t, table, digits);
		add_mean(t, table, digits);
	}
	text_add_char(t, '\n');
}
