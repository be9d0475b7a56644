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

/* Prints the available filters; with -v, also their own descriptions. */
int script_list_dlfilters_run(struct invocation *inv);

/*
 * The filter while events are printed or passed to a script. Filters print to the standard output
 * of the process. If a pager shows the output, the descriptor is the pipe to the pager meanwhile.
 */
struct script_filter {
	struct dlfilter *filter; /* NULL: none was requested */
	struct dlfilter_request request;
	char *exec_path;
	FILE *out;                      /* the stream to print to */
	const struct sample_hook *hook; /* or NULL */
	int kept;                       /* the original descriptor 1; -1: unchanged */
};

#define SCRIPT_FILTER_NONE                                                                         \
	{                                                                                          \
		.kept = -1                                                                         \
	}

/* Loads the filter that the options name, if any. Returns a negative errno with @diag. */
int script_filter_open(struct script_filter *f, const struct invocation *inv, struct diag *diag);

/* Starts the filter before samples are taken; see dlfilter_start(). */
int script_filter_start(struct script_filter *f, struct session *s,
			const struct sample_filter *filter, struct diag *diag);

/*
 * Stops the filter. @r is the result of reading, and is returned unless the filter has an error of
 * its own.
 */
int script_filter_stop(struct script_filter *f, int r, struct diag *diag);

void script_filter_done(struct script_filter *f);
