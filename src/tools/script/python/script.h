/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A running script, as its parts see it. Private to tools/script.
 *
 * Functions that call Python return 0, or -ECANCELED once the script is to end: after an exception,
 * sys.exit(), or Ctrl-C. The cause is kept in the script. Callers pass the error on, and
 * session_feed() stops.
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

/* The subject of a callback, which is shown on an exception. */
struct python_moment {
	const char *what; /* name of the event or record; NULL: none */
	uint64_t time;
	uint32_t cpu, pid;
};

struct python_script {
	const struct python_request *request;
	struct session *session;
	PyObject *globals;                /* those of __main__; borrowed from Python */
	PyObject *context;                /* the handlers' argument: trace-context.h */
	const struct session_sample *now; /* the sample of the current handler; or NULL */
	struct text_files *sources;       /* for perf_sample_srccode(); or NULL */
	bool has_itrace_options;          /* perf_set_itrace_options() was called */
	struct python_events *events;
	struct python_records *records;
	struct python_moment at;
	int status;  /* the exit status of the process, once @ended */
	bool ended;  /* it threw an exception, or called sys.exit() */
	char *where; /* the text that python_run() returns */
	struct diag *diag;
};

/*
 * Returns the function @name of the script, a new reference. NULL: there is none that can be
 * called.
 */
PyObject *python_handler(const struct python_script *s, const char *name);

/*
 * Calls @f with @n arguments, which are borrowed, and drops its result. An argument may be NULL if
 * Python had an error while making it; that error is treated as one of the script.
 */
int python_call(struct python_script *s, PyObject *f, PyObject *const *args, size_t n);

/* Does the same, and releases the arguments. */
int python_call_take(struct python_script *s, PyObject *f, PyObject **args, size_t n);

/*
 * Returns the number of positional parameters of @f; -1: Python does not know. *@ret_any: it
 * accepts any number in addition (*args).
 */
int python_parameters(PyObject *f, bool *ret_any);

/*
 * Takes the exception that is set: prints it, or notes the status of sys.exit(). Returns
 * -ECANCELED.
 */
int python_take_error(struct python_script *s);
