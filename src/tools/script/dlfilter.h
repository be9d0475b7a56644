/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf script --dlfilter`: the filter of a run, and the list of filters.
 */
#include <stdio.h>

#include "tools/script/dlfilter-work.h"

struct diag;
struct invocation;
struct sample_filter;
struct sample_hook;
struct session;

/* Prints the filters that there are; with -v, all that they say of themselves. */
int script_list_dlfilters_run(struct invocation *inv);

/*
 * The filter while events are printed or handed to a script. Filters print to the standard output
 * of the process: if a pager shows the output, that is the pipe to it meanwhile.
 */
struct script_filter {
	struct dlfilter *filter; /* NULL: none was asked for */
	struct dlfilter_request request;
	char *exec_path;
	FILE *out;                      /* where to print */
	const struct sample_hook *hook; /* or NULL */
	int kept;                       /* descriptor 1 as it was; -1: unchanged */
};

#define SCRIPT_FILTER_NONE                                                                         \
	{                                                                                          \
		.kept = -1                                                                         \
	}

/* Loads the filter that the options name, if one. A negative errno with @diag. */
int script_filter_open(struct script_filter *f, const struct invocation *inv, struct diag *diag);

/* Before samples are taken; see dlfilter_start(). */
int script_filter_start(struct script_filter *f, struct session *s,
			const struct sample_filter *filter, struct diag *diag);

/* Afterwards; @r is how reading ended, and is returned unless the filter has an error of its own.
 */
int script_filter_stop(struct script_filter *f, int r, struct diag *diag);

void script_filter_done(struct script_filter *f);
