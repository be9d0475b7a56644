/* SPDX-License-Identifier: MIT */
#include "tools/stat/json-view.h"

#include "base/cleanup.h"
#include "base/plain-number.h"
#include "base/text.h"
#include "tools/stat/aggregate-view.h"
#include "tools/stat/grid-view.h"
#include "view/json.h"
#include "view/stat/metric.h"

struct stat_json_page {
	const struct stat_table *table;
	struct json *json;
	struct text *scratch;
	bool counters;
};

static struct text *stat_json_scratch(struct stat_json_page *p)
{
	text_clear(p->scratch);
	return p->scratch;
}

static void stat_json_add_fixed(struct stat_json_page *p, const char *key, double x,
				unsigned decimals)
{
	json_key(p->json, key);
	json_fixed(p->json, x, decimals);
}

static void add_aggregate(struct stat_json_page *p, const struct stat_row *r)
{
	const struct stat_aggregate *a = stat_aggregate_find(p->table->aggregation, r->per_core);
	struct text *name = stat_json_scratch(p);

	if (!a)
		return;
	a->name(name, r->unit, 0);
	json_member(p->json, a->key, name->chars);
	if (a->has_cpus)
		json_member_unsigned(p->json, p->counters ? "counters" : "aggregate-number",
				     r->n_cpus);
}

static void stat_json_begin(struct stat_json_page *p, const struct stat_row *r)
{
	json_object(p->json);
	if (stat_is_interval(p->table)) {
		struct text *time = stat_json_scratch(p);

		stat_add_time(time, p->table->time_ns, 0);
		json_key(p->json, "interval");
		json_written(p->json, time->chars, time->length);
	}
	add_aggregate(p, r);
}

static void stat_json_end(struct stat_json_page *p)
{
	json_end(p->json, '}');
	json_end_line(p->json);
}

static void stat_json_add_metric(struct stat_json_page *p, const struct stat_metric *m)
{
	if (m && !stat_metric_is_known(m))
		json_member(p->json, "metric-value", "nan");
	else
		stat_json_add_fixed(p, "metric-value", m ? m->value : 0, 6);
	json_member(p->json, "metric-unit", m ? m->unit : "");
}

static void stat_json_add_count(struct stat_json_page *p, const struct stat_row *r)
{
	const char *unknown = stat_state_text(r->state);
	struct text *count = stat_json_scratch(p);

	text_addf(count, "%f", r->count);
	json_member(p->json, "counter-value", unknown ? unknown : count->chars);
}

/* Adds all members from the count up to the metric. */
static void stat_json_add_members(struct stat_json_page *p, const struct stat_row *r)
{
	stat_json_add_count(p, r);
	json_member(p->json, "unit", r->event->unit);
	json_member(p->json, "event", r->event->name);
	if (p->table->has_cgroups)
		json_member(p->json, "cgroup", r->event->cgroup);
	if (p->table->runs > 1)
		stat_json_add_fixed(p, "variance", r->noise, 2);
	json_member_unsigned(p->json, "event-runtime", r->running);
	stat_json_add_fixed(p, "pcnt-running", stat_percent_running(r), 2);
}

static void stat_json_add_row(struct stat_json_page *p, const struct stat_row *r)
{
	size_t n = r->n_metrics;
	bool shown = n && stat_metric_is_shown(r, &r->metrics[0]);

	stat_json_begin(p, r);
	stat_json_add_members(p, r);
	stat_json_add_metric(p, shown ? &r->metrics[0] : NULL);
	stat_json_end(p);
	for (size_t i = 1; i < n; i++) {
		if (!stat_metric_is_shown(r, &r->metrics[i]))
			continue;
		stat_json_begin(p, r);
		stat_json_add_metric(p, &r->metrics[i]);
		stat_json_end(p);
	}
}

static void stat_json_add_grid_line(struct stat_json_page *p, const struct stat_grid *g,
				    size_t line)
{
	stat_json_begin(p, g->lines.items[line]);
	for (size_t i = 0; i < g->columns.n; i++) {
		const struct stat_metric *m = stat_grid_get(g, line, i);
		struct text *number = stat_json_scratch(p);

		if (m)
			stat_metric_add_number(number, m);
		json_member(p->json, g->columns.items[i].heading, number->chars);
	}
	stat_json_end(p);
}

static void stat_json_add_grid(struct stat_json_page *p)
{
	_cleanup_(stat_grid_done) struct stat_grid g;

	stat_grid_init(&g, p->table);
	for (size_t i = 0; i < g.lines.n; i++)
		stat_json_add_grid_line(p, &g, i);
}

/*
 * True if the members of newer versions are used: they are requested, or programs for perf 6.1 do
 * not know this aggregation anyway.
 */
static bool is_of_newer(const struct stat_view *v, const struct stat_table *t)
{
	return v->style.counters || t->aggregation == STAT_CACHE || t->aggregation == STAT_CLUSTER;
}

void stat_json_print(struct stat_view *v, const struct stat_table *t, FILE *out)
{
	PLAIN_NUMBERS_IN_SCOPE;
	_cleanup_(text_done) struct text lines = TEXT_EMPTY, number = TEXT_EMPTY;
	struct json j;
	struct stat_json_page p = { t, &j, &number, is_of_newer(v, t) };

	json_init_text(&j, &lines);
	j.on_line = true;
	j.colon = " : ";
	if (v->style.metric_only)
		stat_json_add_grid(&p);
	else
		for (size_t i = 0; i < t->n_rows; i++)
			if (!stat_row_is_hidden(&v->style, &t->rows[i]))
				stat_json_add_row(&p, &t->rows[i]);
	v->intervals += stat_is_interval(t);
	fputs(lines.chars, out);
}
