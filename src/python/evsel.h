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
	bool tracking;  /* it carries the records that are not samples */
	size_t leader;  /* its group's leader, as an index in the parsed list */
	PyObject *cpus; /* a cpu_map and a thread_map; NULL: not given */
	PyObject *threads;
	struct tracepoint_format *format; /* looked up at its first use */
	bool format_tried;
};

/* Make an object of a parsed event, and of an event of a recording. */
PyObject *evsel_new(const struct event *e);
PyObject *evsel_new_recorded(const struct session_event *e);

/*
 * Returns the format of this tracepoint's samples; NULL: it is no tracepoint, or tracefs cannot be
 * read.
 */
const struct tracepoint_format *evsel_format(PyObject *evsel);

/*
 * Opens the event on these CPUs and threads, in the group of @leader or alone. false: an exception
 * is set.
 */
bool evsel_open_at(struct evsel_object *e, PyObject *cpus, PyObject *threads,
		   const struct evsel_object *leader, bool inherit);

/* Returns the text of @e, such as "software/cpu-clock/". */
PyObject *evsel_text(const struct evsel_object *e);

/* Reads the count on @cpu of @thread, both of which it must have. false: an exception is set. */
bool evsel_read_at(const struct evsel_object *e, int cpu, int thread, struct live_count *ret);
#endif
