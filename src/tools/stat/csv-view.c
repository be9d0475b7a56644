/* SPDX-License-Identifier: MIT */
#include "tools/stat/csv-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/plain-number.h"
#include "tools/stat/aggregate-view.h"
#include "tools/stat/grid-view.h"
#include "view/stat/metric.h"

struct stat_csv_page {
	const struct stat_view *view;
	const struct stat_table *table;
	const char *separator;
	struct text *out;
};

static void add_separator(struct stat_csv_page *p)
{
	text_add(p->out, p->separator);
}

static void stat_csv_add_name(struct stat_csv_page *p, const char *name)
{
	escape_terminal(p->out, name, strlen(name));
	add_separator(p);
}

static void stat_csv_add_prefix(struct stat_csv_page *p, const struct stat_row *r)
{
	if (stat_is_interval(p->table)) {
		stat_add_time(p->out, p->table->time_ns, 6);
		add_separator(p);
	} else if (p->table->summary && p->view->style.csv_summary) {
		text_addf(p->out, "%16s%s", "summary", p->separator);
	}
	stat_aggregate_add_csv(p->out, p->table->aggregation, r, p->separator);
}

static void stat_csv_add_count(struct stat_csv_page *p, const struct stat_row *r)
{
	const char *unknown = stat_state_text(r->state);

	if (unknown)
		text_add(p->out, unknown);
	else
		text_addf(p->out, "%.*f", r->event->decimals ? 2 : 0, r->count);
	add_separator(p);
}

/* Adds all fields from the count up to the metric. */
static void stat_csv_add_fields(struct stat_csv_page *p, const struct stat_row *r)
{
	stat_csv_add_count(p, r);
	stat_csv_add_name(p, r->event->unit);
	stat_csv_add_name(p, r->event->name);
	if (p->table->has_cgroups)
		stat_csv_add_name(p, r->event->cgroup);
	if (p->table->runs > 1)
		text_addf(p->out, "%.2f%%%s", r->noise, p->separator);
	text_addf(p->out, "%" PRIu64 "%s%.2f%s", r->running, p->separator, stat_percent_running(r),
		  p->separator);
}

/* Adds the same number of fields as stat_csv_add_fields(), but empty. */
static void add_empty_fields(struct stat_csv_page *p)
{
	int n = 5 + p->table->has_cgroups + (p->table->runs > 1);

	for (int i = 0; i < n; i++)
		add_separator(p);
}

static void stat_csv_add_metric(struct stat_csv_page *p, const struct stat_metric *m)
{
	if (stat_metric_is_known(m))
		stat_metric_add_number(p->out, m);
	add_separator(p);
	escape_terminal(p->out, m->unit, strlen(m->unit));
}

static void stat_csv_add_second_line(struct stat_csv_page *p, const struct stat_row *r)
{
	text_add_char(p->out, '\n');
	stat_csv_add_prefix(p, r);
	add_empty_fields(p);
}

static void stat_csv_add_row(struct stat_csv_page *p, const struct stat_row *r)
{
	size_t n = r->n_metrics;

	stat_csv_add_prefix(p, r);
	stat_csv_add_fields(p, r);
	if (!n || !stat_metric_is_shown(r, &r->metrics[0]))
		add_separator(p);
	for (size_t i = 0; i < n; i++) {
		if (!stat_metric_is_shown(r, &r->metrics[i]))
			continue;
		if (i && r->metrics[i].same_line)
			add_separator(p);
		else if (i)
			stat_csv_add_second_line(p, r);
		stat_csv_add_metric(p, &r->metrics[i]);
	}
	text_add_char(p->out, '\n');
}

static void stat_csv_add_heading(struct stat_csv_page *p, const struct stat_grid *g)
{
	if (stat_is_interval(p->table))
		text_addf(p->out, " time%s", p->separator);
	stat_aggregate_add_csv_heading(p->out, p->table->aggregation, p->separator);
	for (size_t i = 0; i < g->columns.n; i++)
		stat_csv_add_name(p, g->columns.items[i].heading);
	text_add_char(p->out, '\n');
}

static void stat_csv_add_grid_line(struct stat_csv_page *p, const struct stat_grid *g, size_t line)
{
	stat_csv_add_prefix(p, g->lines.items[line]);
	for (size_t i = 0; i < g->columns.n; i++) {
		const struct stat_metric *m = stat_grid_get(g, line, i);

		if (m)
			stat_metric_add_number(p->out, m);
		add_separator(p);
	}
	text_add_char(p->out, '\n');
}

/* Prints the metrics of units. The summary follows the intervals under their heading. */
static void stat_csv_add_grid(struct stat_csv_page *p)
{
	_cleanup_(stat_grid_done) struct stat_grid g;

	stat_grid_init(&g, p->table);
	if (!p->view->intervals)
		stat_csv_add_heading(p, &g);
	for (size_t i = 0; i < g.lines.n; i++)
		stat_csv_add_grid_line(p, &g, i);
}

void stat_csv_print(struct stat_view *v, const struct stat_table *t, FILE *out)
{
	PLAIN_NUMBERS_IN_SCOPE;
	_cleanup_(text_done) struct text lines = TEXT_EMPTY;
	struct stat_csv_page p = { v, t, v->style.separator, &lines };

	if (v->style.metric_only && !v->style.null_run)
		stat_csv_add_grid(&p);
	else
		for (size_t i = 0; i < t->n_rows; i++)
			if (!stat_row_is_hidden(&v->style, &t->rows[i]))
				stat_csv_add_row(&p, &t->rows[i]);
	v->intervals += stat_is_interval(t);
	fputs(lines.chars, out);
}
