/* SPDX-License-Identifier: MIT */
#include "tools/stat/live-row-view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/stat/aggregate-view.h"
#include "tools/stat/grid-view.h"
#include "tools/stat/history-model.h"
#include "tools/stat/stat-view.h"
#include "view/stat/metric.h"

struct making {
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

/* "CPU0", "S0-D0", "S0-D0 a/cgroup"; NULL for the whole. */
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

/* Four places and a letter for the power of 1000: "12.3 K/s". */
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

/* Without the blanks that align it in a column of its own. */
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

static size_t add_past(const struct making *m, const char *unit, const char *name, double value)
{
	_cleanup_(freep) char *key = xasprintf("%s\n%s", unit ? unit : "", name);

	return history_add(m->past, key, value);
}

/* A rate per second of CPU time: there is a column for rates, of the time on the clock. */
static bool stat_live_row_is_shown(const struct stat_metric *m)
{
	return stat_metric_is_known(m) && !(m->rate && strstr(m->unit, "/sec"));
}

static void stat_live_row_add_metrics(const struct making *m, const struct stat_row *r, bool *first)
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

static void stat_live_row_add(const struct making *m, const struct stat_row *r)
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

/* --metric-only: a row for each metric of each unit. */
static void stat_live_row_add_cell(const struct making *m, const struct stat_grid *g, size_t line,
				   size_t column)
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

static void stat_live_row_add_cells(const struct making *m)
{
	_cleanup_(stat_grid_done) struct stat_grid g;

	stat_grid_init(&g, m->table);
	for (size_t line = 0; line < g.lines.n; line++)
		for (size_t column = 0; column < g.columns.n; column++)
			stat_live_row_add_cell(m, &g, line, column);
}

void live_rows_make(struct live_rows *rows, const struct stat_table *t,
		    const struct stat_style *style, double seconds, struct history *past)
{
	const struct making m = {
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

void live_rows_done(struct live_rows *rows)
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
