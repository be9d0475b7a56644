/* SPDX-License-Identifier: MIT */
#include "view/stat/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/plain-number.h"
#include "view/stat/aggregate.h"
#include "view/stat/grid.h"
#include "view/stat/metric.h"

struct page {
	const struct stat_table *table;
	struct text *out;
};

static void add_quoted(struct text *t, const char *s)
{
	text_add_char(t, '"');
	escape_json(t, s, strlen(s));
	text_add_char(t, '"');
}

static void add_key(struct text *t, const char *key)
{
	if (t->chars[t->length - 1] != '{')
		text_add(t, ", ");
	add_quoted(t, key);
	text_add(t, " : ");
}

static void add_string(struct text *t, const char *key, const char *value)
{
	add_key(t, key);
	add_quoted(t, value);
}

static void add_aggregate(struct page *p, const struct stat_row *r)
{
	const struct stat_aggregate *a = stat_aggregate_find(p->table->aggregation, r->per_core);
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (!a)
		return;
	a->name(&name, r->unit, 0);
	add_string(p->out, a->key, name.chars);
	if (a->has_cpus) {
		add_key(p->out, "aggregate-number");
		text_addf(p->out, "%u", r->n_cpus);
	}
}

static void begin(struct page *p, const struct stat_row *r)
{
	text_add_char(p->out, '{');
	if (stat_is_interval(p->table)) {
		add_key(p->out, "interval");
		stat_add_time(p->out, p->table->time_ns, 0);
	}
	add_aggregate(p, r);
}

static void end(struct page *p)
{
	text_add(p->out, "}\n");
}

static void add_metric(struct page *p, const struct stat_metric *m)
{
	add_key(p->out, "metric-value");
	text_addf(p->out, "%f", m ? m->value : 0);
	add_string(p->out, "metric-unit", m ? m->unit : "");
}

static void add_count(struct page *p, const struct stat_row *r)
{
	const char *unknown = stat_state_text(r->state);

	add_key(p->out, "counter-value");
	if (unknown)
		add_quoted(p->out, unknown);
	else
		text_addf(p->out, "\"%f\"", r->count);
}

/* All from the count up to the metric. */
static void add_members(struct page *p, const struct stat_row *r)
{
	add_count(p, r);
	add_string(p->out, "unit", r->event->unit);
	add_string(p->out, "event", r->event->name);
	if (p->table->has_cgroups)
		add_string(p->out, "cgroup", r->event->cgroup);
	if (p->table->runs > 1) {
		add_key(p->out, "variance");
		text_addf(p->out, "%.2f", r->noise);
	}
	add_key(p->out, "event-runtime");
	text_addf(p->out, "%" PRIu64, r->running);
	add_key(p->out, "pcnt-running");
	text_addf(p->out, "%.2f", stat_percent_running(r));
}

static void add_row(struct page *p, const struct stat_row *r)
{
	size_t n = r->state == STAT_COUNTED ? r->n_metrics : 0;
	bool known = n && stat_metric_is_known(&r->metrics[0]);

	begin(p, r);
	add_members(p, r);
	add_metric(p, known ? &r->metrics[0] : NULL);
	end(p);
	for (size_t i = 1; i < n; i++) {
		if (!stat_metric_is_known(&r->metrics[i]))
			continue;
		begin(p, r);
		add_metric(p, &r->metrics[i]);
		end(p);
	}
}

static void add_grid_line(struct page *p, const struct stat_grid *g, size_t line)
{
	begin(p, g->lines.items[line]);
	for (size_t i = 0; i < g->columns.n; i++) {
		const struct stat_metric *m = stat_grid_get(g, line, i);

		add_key(p->out, g->columns.items[i].heading);
		text_add_char(p->out, '"');
		if (m)
			stat_metric_add_number(p->out, m);
		text_add_char(p->out, '"');
	}
	end(p);
}

static void add_grid(struct page *p)
{
	_cleanup_(stat_grid_done) struct stat_grid g;

	stat_grid_init(&g, p->table);
	for (size_t i = 0; i < g.lines.n; i++)
		add_grid_line(p, &g, i);
}

void stat_json_print(struct stat_view *v, const struct stat_table *t, FILE *out)
{
	PLAIN_NUMBERS_IN_SCOPE;
	_cleanup_(text_done) struct text lines = TEXT_EMPTY;
	struct page p = { t, &lines };

	if (v->style.metric_only)
		add_grid(&p);
	else
		for (size_t i = 0; i < t->n_rows; i++)
			add_row(&p, &t->rows[i]);
	v->intervals += stat_is_interval(t);
	fputs(lines.chars, out);
}
