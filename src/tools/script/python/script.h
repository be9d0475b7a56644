/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A script that runs, as its parts see it. Private to tools/script.
 *
 * Functions that call Python return 0, or -ECANCELED once the script is to end: it threw, called
 * sys.exit(), or the user pressed Ctrl-C. What it was is kept in the script; callers pass the error
 * on, and session_feed() stops.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/python.h"
#include "tools/script/python/run.h"

struct python_events;
struct python_records;
struct session_sample;
struct text_files;

/* What a callback is called for; shown when it throws. */
struct python_moment {
	const char *what; /* name of the event or record; NULL: none */
	uint64_t time;
	uint32_t cpu, pid;
};

struct python_script {
	const struct python_request *request;
	struct session *session;
	PyObject *globals;                /* of __main__; borrowed from Python */
	PyObject *context;                /* what handlers get as such: trace-context.h */
	const struct session_sample *now; /* that a handler is called for; or NULL */
	struct text_files *sources;       /* of perf_sample_srccode(); or NULL */
	bool has_itrace_options;          /* perf_set_itrace_options() was called */
	struct python_events *events;
	struct python_records *records;
	struct python_moment at;
	int status;  /* that the process is to end with, once @ended */
	bool ended;  /* it threw, or called sys.exit() */
	char *where; /* of python_run() */
	struct diag *diag;
};

/* The function @name of the script: a new reference; NULL: it has none that can be called. */
PyObject *python_handler(const struct python_script *s, const char *name);

/*
 * Calls @f with @n arguments, which are borrowed, and drops its result. One of them may be NULL: an
 * error of Python that came while they were made, which is treated as one of the script.
 */
int python_call(struct python_script *s, PyObject *f, PyObject *const *args, size_t n);

/* The same, and releases the arguments. */
int python_call_take(struct python_script *s, PyObject *f, PyObject **args, size_t n);

/*
 * How many positional parameters @f has; -1: Python cannot tell. *@ret_any: it takes any number in
 * addition (*args).
 */
int python_parameters(PyObject *f, bool *ret_any);

/* Takes the exception that is set: prints it, or notes the status of sys.exit(). -ECANCELED. */
int python_take_error(struct python_script *s);
