/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf.evlist: events that are opened, mapped and read together.
 */
#include "python/evsel.h"
#include "python/live-rings.h"
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
struct event_env;
struct event_list;
struct metric;
struct metric_expr;

/* A metric over events of the list. */
struct list_metric {
	const struct metric *metric;
	struct metric_expr *expr;
};

/*
 * An operand of a metric's formula, and the position in the list of the events that it stands for.
 */
struct metric_operand {
	char *text;
	size_t first, n;
};

struct evlist_object {
	PyObject_HEAD PyObject *evsels; /* a Python list */
	PyObject *cpus, *threads;       /* a cpu_map and a thread_map */
	struct live_rings rings;
	uint8_t *record; /* space for one record; NULL: none yet */
	struct {
		struct list_metric *items;
		size_t n, room;
	} metrics;
	struct {
		struct metric_operand *items;
		size_t n, room;
	} operands;
};

/* Makes an empty list; @cpus and @threads may be NULL or None: all CPUs, any thread. */
struct evlist_object *evlist_new(PyObject *cpus, PyObject *threads);

/* Adds copies of @events. */
bool evlist_add_parsed(struct evlist_object *l, const struct event_list *events);

size_t evlist_count(const struct evlist_object *l);
struct evsel_object *evlist_get(const struct evlist_object *l, size_t i);

/* The methods about metrics. */
PyObject *evlist_metrics(PyObject *self, PyObject *unused);
PyObject *evlist_compute_metric(PyObject *self, PyObject *args, PyObject *kwargs);
void evlist_metrics_done(struct evlist_object *l);
#endif
