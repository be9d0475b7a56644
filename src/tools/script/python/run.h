/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Passes a recording to a Python script: `perf script -s x.py`.
 *
 * The script is executed as __main__. Then its functions are called: trace_begin(), a handler for
 * each sample (python-events.h) and each record that it handles (python-records.h), trace_end().
 * Everything runs on the caller's thread, which should be the main one, because Python delivers
 * signals there.
 *
 * The output of a script goes to the process's standard output, and the traceback of an exception
 * to standard error. Python itself prints both.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/call-sites.h"

struct diag;
struct notes;
struct sample_filter;
struct sample_hook;
struct session;

/* A request. Everything is borrowed. */
struct python_request {
	const char *path; /* the script's path as typed: sys.argv[0] */
	char *const *arguments;
	size_t n_arguments;                 /* sys.argv[1:] */
	struct session *session;            /* used to look up symbols */
	struct sample_filter *filter;       /* selects the samples for the script; NULL: all */
	const struct sample_hook *hook;     /* called for each sample; or NULL */
	uint64_t max_stack;                 /* frames of a call chain; 0: no call chains */
	enum inlines inlines;               /* whether inlined functions are frames */
	const char *switch_on, *switch_off; /* events that start and stop the taking of samples */
	bool show_switches;                 /* also take those samples */
	/* Returns the setting @key of perfconfig, or NULL; for perf_config_get(). May be NULL. */
	const char *(*config_get)(const void *config, const char *key);
	const void *config;
	struct notes *notes; /* remarks about the script */
};

/*
 * Runs the script over the recording. Returns 0 if it came to its end, or the positive status with
 * which it wants to exit (sys.exit(); 1 after an exception). Returns a negative errno with @diag if
 * the script cannot be read, there is no Python, or the recording cannot be read. *@ret_at is a
 * sentence for the user about the event at which an exception was thrown, which the caller frees;
 * NULL: not at an event.
 */
int python_run(const struct python_request *rq, char **ret_at, struct diag *diag);

/*
 * Checks the language that -s NAME selects, with "python:x.py" or with the end of the name.
 * *@ret_path is the part after the colon, or @name. Returns -EOPNOTSUPP with @diag if it is Perl,
 * and -EINVAL if it is unknown.
 */
int python_script_path(const char *name, const char **ret_path, struct diag *diag);
