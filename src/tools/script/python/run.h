/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording handed to a Python script: `perf script -s x.py`.
 *
 * The script is executed as __main__. Its functions are then called: trace_begin(), a handler for
 * each sample (python-events.h) and each record that it wants (python-records.h), trace_end().
 * Everything happens on the caller's thread, which should be the main one: Python delivers signals
 * there.
 *
 * What a script prints goes to the process's standard output, and the traceback of one that throws
 * to standard error, both by Python itself.
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

/* Everything is borrowed. */
struct python_request {
	const char *path; /* of the script, as it was typed: sys.argv[0] */
	char *const *arguments;
	size_t n_arguments;                 /* sys.argv[1:] */
	struct session *session;            /* symbols are looked up through it */
	struct sample_filter *filter;       /* which samples the script gets; NULL: all */
	const struct sample_hook *hook;     /* asked about each sample; or NULL */
	uint64_t max_stack;                 /* frames of a call chain; 0: none are wanted */
	enum inlines inlines;               /* whether functions that were inlined are frames */
	const char *switch_on, *switch_off; /* names of events between which samples are taken */
	bool show_switches;                 /* and those samples too */
	/* The setting @key of perfconfig, or NULL; for perf_config_get(). May be NULL. */
	const char *(*config_get)(const void *config, const char *key);
	const void *config;
	struct notes *notes; /* remarks about the script */
};

/*
 * Runs the script over the recording. 0: it came to its end; a positive number is the status that
 * it wants to exit with (sys.exit(), 1 when it threw). A negative errno with @diag: it cannot be
 * read, there is no Python, or the recording cannot be read. *@ret_at: where a script that threw
 * was, a sentence for the user which the caller frees; NULL: not at an event.
 */
int python_run(const struct python_request *rq, char **ret_at, struct diag *diag);

/*
 * The language that -s NAME asks for, by "python:x.py" or the end of the name; *@ret_path is what
 * follows the colon, or @name. -EOPNOTSUPP with @diag: it is Perl; -EINVAL: it is not known.
 */
int python_script_path(const char *name, const char **ret_path, struct diag *diag);
