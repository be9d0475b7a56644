/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf.evsel: an event, live or of a recording.
 */
#include "python/live-event.h"
#include "python/module.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)
struct event;
struct session_event;
struct tracepoint_format;

struct evsel_object {
	PyObject_HEAD struct live_event event;
	char *pmu; /* "software" */
	char *unit;
	double scale;
	bool tracking;  /* carries the records beside samples */
	size_t leader;  /* of its group, in the list it was parsed with */
	PyObject *cpus; /* a cpu_map and a thread_map; NULL: not said */
	PyObject *threads;
	struct tracepoint_format *format; /* found when asked for */
	bool format_tried;
};

/* Of an event that was parsed; the second, of a recording. */
PyObject *evsel_new(const struct event *e);
PyObject *evsel_new_recorded(const struct session_event *e);

/* What samples of this tracepoint look like; NULL: it is none, or tracefs cannot be read. */
const struct tracepoint_format *evsel_format(PyObject *evsel);

/* Opens it there, beside @leader or alone. false: an exception is set. */
bool evsel_open_at(struct evsel_object *e, PyObject *cpus, PyObject *threads,
		   const struct evsel_object *leader, bool inherit);

/* "software/cpu-clock/" */
PyObject *evsel_text(const struct evsel_object *e);

/* The count on @cpu of @thread, which must be its own. false: an exception is set. */
bool evsel_read_at(const struct evsel_object *e, int cpu, int thread, struct live_count *ret);
#endif
