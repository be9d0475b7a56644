/* SPDX-License-Identifier: MIT */
/*
 * Metrics: perf.metrics(), perf.parse_metrics(), and their values over the counts of an evlist.
 */
#include "event/metric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/env.h"
#include "event/event.h"
#include "event/metric-expr.h"
#include "python/evlist.h"

void evlist_metrics_done(struct evlist_object *l)
{
	for (size_t i = 0; i < l->metrics.n; i++)
		metric_expr_free(l->metrics.items[i].expr);
	free(l->metrics.items);
	for (size_t i = 0; i < l->operands.n; i++)
		free(l->operands.items[i].text);
	free(l->operands.items);
}

PyObject *evlist_metrics(PyObject *self, PyObject *unused)
{
	const struct evlist_object *l = (struct evlist_object *)self;
	PyObject *list = PyList_New(0);

	(void)unused;
	for (size_t i = 0; list && i < l->metrics.n; i++)
		python_append(&list, module_text(l->metrics.items[i].metric->name));
	return list;
}

/* The counts that a formula needs. */
struct metric_place {
	const struct evlist_object *list;
	int cpu, thread;
	bool failed; /* an exception is set */
};

static double scaled_count(const struct evsel_object *e, const struct live_count *c)
{
	double value = (double)c->value;

	if (c->running && c->running < c->enabled)
		value *= (double)c->enabled / (double)c->running;
	return attr_is_clock(&e->event.attr) ? value : value * e->scale;
}

static bool operand_count(void *arg, const char *event, double *ret)
{
	struct metric_place *p = arg;
	const struct evlist_object *l = p->list;

	for (size_t i = 0; i < l->operands.n; i++) {
		const struct metric_operand *o = &l->operands.items[i];

		if (strcmp(o->text, event))
			continue;
		*ret = 0;
		for (size_t j = o->first; j < o->first + o->n; j++) {
			struct live_count c;

			if (!evsel_read_at(evlist_get(l, j), p->cpu, p->thread, &c)) {
				p->failed = true;
				return false;
			}
			*ret += scaled_count(evlist_get(l, j), &c);
		}
		return true;
	}
	return false;
}

static const struct list_metric *find_metric(const struct evlist_object *l, const char *name)
{
	for (size_t i = 0; i < l->metrics.n; i++)
		if (!strcmp(l->metrics.items[i].metric->name, name))
			return &l->metrics.items[i];
	return NULL;
}

PyObject *evlist_compute_metric(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "metric", "cpu", "thread", NULL };
	struct metric_place place = { .list = (struct evlist_object *)self };
	const struct metric_inputs inputs = { .event = operand_count, .arg = &place };
	const struct list_metric *m;
	const char *name;
	double value;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sii", names, &name, &place.cpu,
					 &place.thread))
		return NULL;
	m = find_metric(place.list, name);
	if (!m) {
		PyErr_Format(PyExc_TypeError, "Unknown metric '%s' for CPU '%d' and thread '%d'",
			     name, place.cpu, place.thread);
		return NULL;
	}
	if (metric_expr_value(m->expr, &inputs, &value) && !place.failed)
		return PyFloat_FromDouble(value * m->metric->scale);
	/* Nothing has been counted yet, so the divisor is 0. */
	return place.failed ? NULL : PyFloat_FromDouble(0);
}

/* Returns the groups of a metric as a list. */
static PyObject *groups_of(const struct metric *m)
{
	PyObject *text = module_text(m->groups), *list = NULL;

	if (text && *m->groups)
		list = PyObject_CallMethod(text, "split", "s", ";");
	else if (text)
		list = PyList_New(0);
	Py_XDECREF(text);
	return list;
}

static PyObject *metric_dict(const struct metric *m)
{
	_cleanup_(freep) char *unit = xasprintf("%g%s", m->scale, m->unit);
	PyObject *groups = groups_of(m);

	if (!groups)
		return NULL;
	return Py_BuildValue("{s:N,s:s,s:s,s:s,s:s,s:s}", "MetricGroup", groups, "MetricName",
			     m->name, "PMU", "default_core", "MetricExpr", m->expression,
			     "ScaleUnit", unit, "BriefDescription", m->brief);
}

PyObject *module_metrics(PyObject *self, PyObject *unused)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(metric_list_done) struct metric_list all = { 0 };
	PyObject *list = PyList_New(0);

	(void)self, (void)unused;
	metric_list_make(&all, env);
	for (size_t i = 0; list && i < all.n; i++)
		python_append(&list, metric_dict(all.items[i]));
	return list;
}

/* The state of making a list of the events of metrics. */
struct metric_making {
	struct evlist_object *list;
	struct event_env *env;
	struct event_list events;
	struct diag *diag;
	int result;
};

/* Adds the events for @text, unless they are there already. */
static void python_metric_add_operand(const char *text, void *arg)
{
	struct metric_making *m = arg;
	struct metric_operand *o;
	size_t first = m->events.n;

	for (size_t i = 0; i < m->list->operands.n; i++)
		if (!strcmp(m->list->operands.items[i].text, text))
			return;
	if (m->result >= 0)
		m->result = event_list_parse(&m->events, text, m->env, EVENT_USE_COUNTING, m->diag);
	if (m->result < 0)
		return;
	o = ARRAY_ADD(&m->list->operands);
	*o = (struct metric_operand){ .text = xstrdup(text),
				      .first = first,
				      .n = m->events.n - first };
}

static int python_metric_add(struct metric_making *m, const struct metric *metric)
{
	struct metric_expr *expr;
	int r = metric_compile(metric, &expr, m->diag);

	if (r < 0)
		return r;
	*ARRAY_ADD(&m->list->metrics) = (struct list_metric){ .metric = metric, .expr = expr };
	metric_expr_for_each_event(expr, python_metric_add_operand, m);
	return m->result;
}

/* Adds all metrics that a word of @text selects. */
static int python_metric_add_metrics(struct metric_making *m, const char *text)
{
	_cleanup_(freep) char *copy = xstrdup(text);
	_cleanup_(metric_list_done) struct metric_list all = { 0 };
	char *state = NULL;

	metric_list_make(&all, m->env);
	for (char *word = strtok_r(copy, ",", &state); word; word = strtok_r(NULL, ",", &state)) {
		bool found = false;

		for (size_t i = 0; i < all.n; i++) {
			int r;

			if (!metric_selected(all.items[i], word))
				continue;
			found = true;
			r = python_metric_add(m, all.items[i]);
			if (r < 0)
				return r;
		}
		if (!found) {
			diag_set(m->diag, -ENOENT, "there is no metric or group '%s'", word);
			diag_hint(m->diag, "'perf list metric' shows what there is.");
			return -ENOENT;
		}
	}
	return 0;
}

PyObject *module_parse_metrics(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "metrics", "cpus", "threads", NULL };
	PyObject *cpus = NULL, *threads = NULL;
	struct diag diag = { 0 };
	struct metric_making m = { .diag = &diag };
	const char *text;
	bool fine = false;
	int r;

	(void)self;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|OO", names, &text, &cpus, &threads))
		return NULL;
	m.list = evlist_new(cpus, threads);
	if (!m.list)
		return NULL;
	m.env = event_env_new(NULL, NULL);
	r = python_metric_add_metrics(&m, text);
	if (r < 0)
		module_fail(r, &diag);
	else
		fine = evlist_add_parsed(m.list, &m.events);
	event_list_done(&m.events);
	event_env_free(m.env);
	if (!fine) {
		Py_DECREF((PyObject *)m.list);
		return NULL;
	}
	return (PyObject *)m.list;
}
