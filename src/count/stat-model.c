/* SPDX-License-Identifier: MIT */
#include "count/stat-model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/student.h"
#include "event/event.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "count/stat-metrics.h"
#include "count/stat-unit.h"

/* The total of an event in a unit, in one run or interval. */
struct total {
	double value; /* compensated for the time in which it did not run */
	uint64_t enabled, running;
	unsigned n_cpus;
	bool counted;
};

/* The same over all runs. */
struct stat_model_cell {
	struct moments value;
	uint64_t enabled, running;
	unsigned n_cpus;
	bool counted; /* in at least one of them */
};

struct stat_model_source {
	struct stat_source given;
	struct stat_event shown;
	struct count *now, *before; /* [cpu * n_tasks + task]; @before: at the last interval */
	size_t *units;              /* number of the unit of each place */
	size_t row;                 /* the source to whose row it belongs; its own unless merged */
	char *name;                 /* shown instead of the event's name, or NULL */
};

/* A metric that was requested by name. */
struct named_metric {
	const struct metric *metric;
	const struct metric_expr *expr;
	size_t first, n;
};

struct stat_model {
	struct stat_model_options o;
	struct {
		struct named_metric *items;
		size_t n, room;
	} metrics;
	struct stat_model_source *sources;
	size_t n;
	struct stat_units units;
	struct stat_model_cell *cells;   /* [source * units.n + unit], of the runs */
	struct stat_model_cell *current; /* cells of the last interval */
	struct moments elapsed;
	double *run_times;
	size_t n_runs, run_times_room;
	bool interval;
	uint64_t time_ns;
	double interval_s;
	struct stat_row *rows;
	size_t n_rows, rows_room;
};

/*
 * Returns the number of places. perf's own measurements are the same everywhere, and belong to the
 * first place only. Tasks, not CPUs, use a GPU.
 */
static size_t n_places(const struct stat_model_source *s)
{
	size_t n = s->given.n_cpus * s->given.n_tasks;

	if (n && s->given.event->tool == EVENT_TOOL_DRM)
		return s->given.n_tasks;
	return n && s->given.event->tool != EVENT_TOOL_NONE ? 1 : n;
}

static bool stat_is_clock(const struct event *e)
{
	return e->tool == EVENT_TOOL_NONE && attr_is_clock(&e->attr);
}

/* True if another PMU counts an event of the same text. */
static bool has_twin(const struct stat_source *sources, size_t n, size_t i)
{
	for (size_t j = 0; j < n; j++)
		if (sources[j].pmu && sources[j].event->pmu != sources[i].event->pmu &&
		    !strcmp(sources[j].event->name, sources[i].event->name))
			return true;
	return false;
}

/* Returns the name without the PMU: "cpu_core/cycles/u" is "cycles:u" on any kind of cores. */
static char *name_without_pmu(const char *name)
{
	const char *first = strchr(name, '/'), *last = strrchr(name, '/');

	if (!first || first == last)
		return NULL;
	return xasprintf("%.*s%s%s", (int)(last - first - 1), first + 1, last[1] ? ":" : "",
			 last + 1);
}

static char *name_with_pmu(const char *name, const char *pmu)
{
	const char *slash = strchr(name, '/');

	return slash ? xasprintf("%s%s", pmu, slash) : xasprintf("%s/%s/", pmu, name);
}

/* Returns the name of the row if it differs from the event's, or NULL. */
static char *choose_name(const struct stat_model *m, const struct stat_source *sources, size_t i)
{
	const struct stat_source *s = &sources[i];

	if (m->o.merge_cores && s->core)
		return name_without_pmu(s->event->name);
	if (!m->o.merge && s->pmu && has_twin(sources, m->n, i))
		return name_with_pmu(s->event->name, s->pmu);
	return NULL;
}

static void stat_describe(struct stat_model_source *s)
{
	const struct event *e = s->given.event;

	s->shown.name = s->name ? s->name : e->name;
	s->shown.cgroup = s->given.cgroup;
	s->shown.unit = stat_is_clock(e) ? "msec" : event_tool_is_time(e->tool) ? "ns" : e->unit;
	s->shown.decimals = stat_is_clock(e) || e->scale != 1.0;
}

/* Returns the first CPU of the core of @unit, where the sum of a core is kept (`percore`). */
static size_t first_of_core(const struct stat_model *m, size_t unit)
{
	const struct stat_unit *u = &m->units.items[unit];

	for (size_t i = 0; i < unit; i++) {
		const struct stat_unit *other = &m->units.items[i];

		if (other->core == u->core && other->die == u->die && other->socket == u->socket)
			return i;
	}
	return unit;
}

static bool sums_cores(const struct stat_model *m, const struct stat_model_source *s)
{
	return m->o.aggregation == STAT_CPU && s->given.event->settings.percore;
}

/*
 * Returns the row of a source. Uncore PMUs of one kind count one event together, under the common
 * name that was typed.
 */
static size_t stat_find_row(const struct stat_model *m, size_t i)
{
	const struct stat_model_source *s = &m->sources[i];
	bool merge = s->given.core ? m->o.merge_cores : m->o.merge;

	for (size_t j = 0; merge && s->given.pmu && j < i; j++) {
		const struct stat_model_source *other = &m->sources[j];

		if (other->row == j && other->given.pmu && other->given.core == s->given.core &&
		    other->given.event->pmu != s->given.event->pmu &&
		    !strcmp(other->shown.name, s->shown.name) &&
		    !strcmp(other->shown.cgroup, s->shown.cgroup))
			return j;
	}
	return i;
}

static void find_units(const struct stat_model *m, struct stat_model_source *s)
{
	for (size_t place = 0; place < n_places(s); place++) {
		size_t unit = stat_units_find(&m->units, &m->o,
					      s->given.cpus[place / s->given.n_tasks],
					      place % s->given.n_tasks);

		s->units[place] = sums_cores(m, s) ? first_of_core(m, unit) : unit;
	}
}

struct stat_model *stat_model_new(const struct stat_source *sources, size_t n,
				  const struct stat_model_options *o)
{
	struct stat_model *m = xcalloc(1, sizeof(*m));

	m->o = *o;
	m->n = n;
	m->sources = xcalloc(n, sizeof(m->sources[0]));
	stat_units_make(&m->units, sources, n, o);
	for (size_t i = 0; i < n; i++) {
		struct stat_model_source *s = &m->sources[i];

		s->given = sources[i];
		s->now = xcalloc(n_places(s) + 1, sizeof(s->now[0]));
		s->before = xcalloc(n_places(s) + 1, sizeof(s->before[0]));
		s->units = xcalloc(n_places(s) + 1, sizeof(s->units[0]));
		s->name = choose_name(m, sources, i);
		find_units(m, s);
		stat_describe(s);
		s->row = stat_find_row(m, i);
	}
	m->cells = xcalloc(n * m->units.n + 1, sizeof(m->cells[0]));
	m->current = xcalloc(n * m->units.n + 1, sizeof(m->current[0]));
	return m;
}

void stat_model_free(struct stat_model *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++) {
		free(m->sources[i].now);
		free(m->sources[i].before);
		free(m->sources[i].units);
		free(m->sources[i].name);
	}
	stat_units_done(&m->units);
	free(m->sources);
	free(m->cells);
	free(m->current);
	free(m->run_times);
	free(m->rows);
	free(m->metrics.items);
	free(m);
}

void stat_model_add_metric(struct stat_model *m, const struct metric *metric,
			   const struct metric_expr *expr, size_t first, size_t n)
{
	*ARRAY_ADD(&m->metrics) = (struct named_metric){ metric, expr, first, n };
}

void stat_model_count(struct stat_model *m, size_t source, const struct count *counts)
{
	struct stat_model_source *s = &m->sources[source];

	memcpy(s->now, counts, n_places(s) * sizeof(s->now[0]));
}

void stat_model_count_tool(struct stat_model *m, size_t source, uint64_t value)
{
	bool time = event_tool_is_time(m->sources[source].given.event->tool);

	m->sources[source].now[0] = (struct count){ value, time ? value : 1, time ? value : 1 };
}

void stat_model_count_drm(struct stat_model *m, size_t source, size_t task, const uint64_t *value)
{
	m->sources[source].now[task] = value ? (struct count){ *value, 1, 1 } : (struct count){ 0 };
}

static struct count stat_difference(const struct count *now, const struct count *before)
{
	return (struct count){ now->value - before->value, now->enabled - before->enabled,
			       now->running - before->running };
}

/*
 * Scales a count. The kernel shares its counters among events by time; the event is assumed to have
 * the same rate in the rest of the time.
 */
static double stat_scaled(const struct stat_model *m, const struct stat_model_source *s,
			  const struct count *c)
{
	if (s->given.event->tool == EVENT_TOOL_FILE)
		return (double)(int64_t)c->value;
	if (!m->o.scale || c->running == c->enabled || !c->running)
		return (double)c->value;
	return (double)(uint64_t)((double)c->value * (double)c->enabled / (double)c->running);
}

/*
 * Adds the places of @s in @unit to @t. The counts of all together are scaled once, because they
 * belong to one event; CPUs that are shown separately are scaled separately, so that their sum is
 * that of the rows.
 */
static void stat_add_source(const struct stat_model *m, const struct stat_model_source *s,
			    size_t unit, bool delta, struct total *t)
{
	static const struct count zero;
	struct count sum = { 0 };
	unsigned n_cpus = 0;
	bool global = m->o.aggregation == STAT_GLOBAL;

	for (size_t place = 0; place < n_places(s) || (place == 0 && s->given.event->tool);
	     place++) {
		const struct count *before = delta && !s->given.event->snapshot ? &s->before[place]
										: &zero;
		struct count c = stat_difference(&s->now[place], before);

		if (s->units[place] != unit)
			continue;
		n_cpus++;
		/* perf's own measurements are known, even if they are zero. */
		if ((c.enabled && c.running) || event_tool_is_time(s->given.event->tool))
			t->counted = true;
		sum.value += c.value;
		sum.enabled += c.enabled;
		sum.running += c.running;
		if (!global)
			t->value += stat_scaled(m, s, &c);
	}
	if (global)
		t->value += stat_scaled(m, s, &sum);
	t->enabled += sum.enabled;
	t->running += sum.running;
	/* PMUs that are merged count on the same CPUs; different kinds of cores do not. */
	if (s->given.core)
		t->n_cpus += n_cpus;
	else if (n_cpus > t->n_cpus)
		t->n_cpus = n_cpus;
}

static void stat_add_up(struct stat_model *m, struct stat_model_cell *cells, bool delta)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t unit = 0; unit < m->units.n; unit++) {
			struct stat_model_cell *cell = &cells[i * m->units.n + unit];
			struct total t = { 0 };

			for (size_t j = i; j < m->n; j++)
				if (m->sources[j].row == i)
					stat_add_source(m, &m->sources[j], unit, delta, &t);
			moments_add(&cell->value, t.value);
			cell->enabled += t.enabled;
			cell->running += t.running;
			cell->n_cpus = t.n_cpus;
			cell->counted |= t.counted;
		}
	}
}

void stat_model_end_run(struct stat_model *m, double elapsed_s)
{
	stat_add_up(m, m->cells, false);
	moments_add(&m->elapsed, elapsed_s);
	m->run_times = array_reserve(m->run_times, &m->run_times_room, m->n_runs + 1,
				     sizeof(m->run_times[0]));
	m->run_times[m->n_runs++] = elapsed_s;
	m->interval = false;
	/* The next run counts from zero again. */
	for (size_t i = 0; i < m->n; i++)
		memset(m->sources[i].before, 0,
		       (n_places(&m->sources[i]) + 1) * sizeof(m->sources[i].before[0]));
}

void stat_model_end_interval(struct stat_model *m, uint64_t time_ns, double interval_s)
{
	memset(m->current, 0, m->n * m->units.n * sizeof(m->current[0]));
	stat_add_up(m, m->current, true);
	for (size_t i = 0; i < m->n; i++) {
		struct stat_model_source *s = &m->sources[i];

		memcpy(s->before, s->now, (n_places(s) + 1) * sizeof(s->now[0]));
	}
	m->interval = true;
	m->time_ns = time_ns;
	m->interval_s = interval_s;
}

static const struct stat_model_cell *stat_cell_of(const struct stat_model *m, size_t source,
						  size_t unit)
{
	return &(m->interval ? m->current : m->cells)[source * m->units.n + unit];
}

/* Returns the cell of the unit, or that of the whole core if cores are counted. */
static const struct stat_model_cell *shown_cell(const struct stat_model *m, size_t source,
						size_t unit)
{
	return stat_cell_of(m, source,
			    sums_cores(m, &m->sources[source]) ? first_of_core(m, unit) : unit);
}

static enum stat_state stat_state_of(const struct stat_model_source *s,
				     const struct stat_model_cell *c)
{
	if (!s->given.supported)
		return STAT_NOT_SUPPORTED;
	return c->counted ? STAT_COUNTED : STAT_NOT_COUNTED;
}

/* Collects all counts of one unit, for the metrics of each. */
static void fill_operands(const struct stat_model *m, size_t unit, struct stat_operand *operands)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct stat_model_source *s = &m->sources[i];
		const struct stat_model_cell *c = shown_cell(m, i, unit);

		operands[i] = (struct stat_operand){
			.event = s->given.event,
			.cgroup = s->given.cgroup,
			.state = s->row == i ? stat_state_of(s, c) : STAT_NOT_COUNTED,
			.count = c->value.mean,
		};
	}
}

/* The operands of one named metric in one unit. */
struct lookup {
	const struct stat_operand *operands;
	size_t n;
};

/*
 * True if the event has this name. An event that may not count the kernel was renamed "cycles:u".
 */
static bool stat_is_named(const struct event *e, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(e->name, name, n) && (!e->name[n] || e->name[n] == ':');
}

static bool stat_find_event(void *arg, const char *event, double *ret)
{
	const struct lookup *l = arg;

	for (size_t i = 0; i < l->n; i++) {
		const struct stat_operand *o = &l->operands[i];

		if (!stat_is_named(o->event, event) || o->state != STAT_COUNTED)
			continue;
		*ret = stat_is_clock(o->event) ? o->count : o->count * o->event->scale;
		return true;
	}
	return false;
}

static bool no_literal(void *arg, const char *name, double *ret)
{
	(void)arg, (void)name, (void)ret;
	return false;
}

/* True for an event that is counted for a metric; it shows that metric, and no other. */
static bool is_named_operand(const struct stat_model *m, size_t source)
{
	for (size_t i = 0; i < m->metrics.n; i++)
		if (source - m->metrics.items[i].first < m->metrics.items[i].n)
			return true;
	return false;
}

static void add_named_metrics(const struct stat_model *m, size_t source,
			      const struct stat_operand *operands, struct stat_row *row)
{
	for (size_t i = 0; i < m->metrics.n && row->n_metrics < STAT_METRICS; i++) {
		const struct named_metric *named = &m->metrics.items[i];
		struct lookup l = { operands + named->first, named->n };
		const struct metric_inputs in = { stat_find_event, no_literal, &l };
		struct stat_metric *metric = &row->metrics[row->n_metrics];
		double value = 0;

		if (named->first != source)
			continue;
		row->n_metrics++;
		*metric = (struct stat_metric){
			.format = named->metric->unit[0] ? STAT_FORMAT_SHORT : STAT_FORMAT_PLAIN,
			.asked_for = true,
		};
		metric->known = metric_expr_value(named->expr, &in, &value);
		metric->known &= isfinite(value);
		metric->value = metric->known ? value * named->metric->scale : NAN;
		snprintf(metric->unit, sizeof(metric->unit), "%s%s%s", named->metric->unit,
			 named->metric->unit[0] ? "  " : "", named->metric->name);
	}
}

static double in_unit(const struct event *e, double count)
{
	return stat_is_clock(e) ? count / 1e6 : count * e->scale;
}

static void stat_add_row(struct stat_model *m, size_t source, size_t unit,
			 const struct stat_operand *operands)
{
	struct stat_model_source *s = &m->sources[source];
	const struct stat_model_cell *c = shown_cell(m, source, unit);
	double seconds = m->interval ? m->interval_s : m->elapsed.mean;
	uint64_t runs = c->value.n > 1 ? (uint64_t)c->value.n : 1;

	m->rows = array_reserve(m->rows, &m->rows_room, m->n_rows + 1, sizeof(m->rows[0]));

	struct stat_row *row = &m->rows[m->n_rows++];

	*row = (struct stat_row){
		.event = &s->shown,
		.unit = m->o.aggregation == STAT_GLOBAL ? NULL : &m->units.items[unit],
		.n_cpus = c->n_cpus,
		.state = stat_state_of(s, c),
		.count = in_unit(s->given.event, c->value.mean),
		.enabled = c->enabled / runs,
		.running = c->running / runs,
		.noise = moments_noise(&c->value),
		.per_core = sums_cores(m, s) && !m->o.per_core_threads,
	};
	/*
	 * A row that was not counted has the same metrics, all unknown, so that columns stay
	 * aligned.
	 */
	if (!is_named_operand(m, source))
		row->n_metrics = stat_metrics_of(operands, m->n, source, seconds, row->metrics);
	add_named_metrics(m, source, operands, row);
	for (size_t i = 0; i < row->n_metrics && row->state != STAT_COUNTED; i++) {
		row->metrics[i].known = false;
		if (row->metrics[i].asked_for)
			row->metrics[i].value = NAN;
	}
}

static bool has_row(const struct stat_model *m, size_t source, size_t unit)
{
	const struct stat_model_cell *c = stat_cell_of(m, source, unit);

	if (m->sources[source].row != source)
		return false;
	if (sums_cores(m, &m->sources[source]))
		return m->o.per_core_threads || first_of_core(m, unit) == unit;
	/*
	 * A CPU on which the event is not counted at all has no row; nor has a thread without
	 * counts.
	 */
	if (m->o.aggregation == STAT_CPU && !c->n_cpus && m->sources[source].given.supported)
		return false;
	return !(m->o.aggregation == STAT_THREAD && m->o.all_threads && c->value.mean == 0);
}

struct by_count {
	const struct stat_model *model;
	size_t source;
};

/* Compares threads by their counts, the busiest first. */
static int stat_busier(const void *x, const void *y, void *arg)
{
	const struct by_count *by = arg;
	size_t a = *(const size_t *)x, b = *(const size_t *)y;
	double p = stat_cell_of(by->model, by->source, a)->value.mean;
	double q = stat_cell_of(by->model, by->source, b)->value.mean;

	return p > q ? -1 : p < q ? 1 : a < b ? -1 : a > b;
}

/* Adds the rows event by event, and within each unit by unit. */
static void add_rows_by_event(struct stat_model *m, struct stat_operand *operands, size_t *order)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t u = 0; u < m->units.n; u++)
			order[u] = u;
		if (m->o.aggregation == STAT_THREAD)
			qsort_r(order, m->units.n, sizeof(order[0]), stat_busier,
				&(struct by_count){ m, i });
		for (size_t u = 0; u < m->units.n; u++) {
			if (!has_row(m, i, order[u]))
				continue;
			fill_operands(m, order[u], operands);
			stat_add_row(m, i, order[u], operands);
		}
	}
}

static void add_rows_by_unit(struct stat_model *m, struct stat_operand *operands)
{
	for (size_t u = 0; u < m->units.n; u++) {
		fill_operands(m, u, operands);
		for (size_t i = 0; i < m->n; i++)
			if (has_row(m, i, u))
				stat_add_row(m, i, u, operands);
	}
}

void stat_model_table(struct stat_model *m, struct stat_table *ret)
{
	struct stat_operand *operands = xcalloc(m->n + 1, sizeof(*operands));
	size_t *order = xcalloc(m->units.n + 1, sizeof(*order));

	m->n_rows = 0;
	if (m->o.aggregation == STAT_CPU || m->o.aggregation == STAT_THREAD)
		add_rows_by_event(m, operands, order);
	else
		add_rows_by_unit(m, operands);
	free(operands);
	free(order);
	*ret = (struct stat_table){
		.aggregation = m->o.aggregation,
		.rows = m->rows,
		.n_rows = m->n_rows,
		.runs = m->n_runs ? (unsigned)m->n_runs : 1,
		.interval = m->interval,
		.time_ns = m->time_ns,
		.elapsed_s = m->elapsed.mean,
		.elapsed_error_s = moments_error(&m->elapsed),
		.run_times_s = m->run_times,
	};
	for (size_t i = 0; i < m->n; i++)
		ret->has_cgroups |= m->sources[i].shown.cgroup[0] != '\0';
}
