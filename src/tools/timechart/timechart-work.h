/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The time chart of a recording: perf timechart.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "profile/cell-log.h"
#include "profile/profile.h"
#include "tools/timechart/rows-model.h"
#include "tools/timechart/samples-model.h"
#include "tools/timechart/stacks-model.h"
#include "tools/timechart/timechart-model.h"

struct diag;
struct notes;
struct page;

/* Texts are borrowed. */
struct timechart_request {
	const char *path; /* "-": standard input */
	bool force;       /* whoever owns the file */
	struct symbol_request symbols;
	const char *buildid_dir;   /* of the cache that goes with the files; NULL: there is none */
	struct progress *progress; /* or NULL */
	struct time_window time;
	struct chart_options chart;
	struct chart_rows_request rows;
	bool by_topology; /* CPUs that share a core or socket lie side by side */
	bool with_page;   /* flame graphs of selections are wanted */
};

struct timechart {
	struct chart chart;
	struct chart_rows rows;
	struct chart_stacks stacks;
	uint32_t *cpus; /* places in chart.cpus, in the order in which they are drawn */
	bool has_stacks;
	/* Private, but for the page: */
	struct profile profile;
	struct chart_samples samples;
	struct cell_log log; /* waits and samples, with times; with_page */
	struct intern comms; /* names that the log refers to */
	uint64_t bin_ns;     /* by which waits are cut in the log */
	const struct timechart_request *rq;
	struct diag *diag;
	bool has_begun, has_profile;
};

/*
 * Reads the recording. -ENODATA with @diag, which says how to record: there is nothing to draw.
 * Other errors: those of session_feed(). *@ret is released with timechart_done() in any case.
 */
int timechart_make(const struct timechart_request *rq, struct timechart *ret, struct notes *notes,
		   struct diag *diag);
void timechart_done(struct timechart *t);

/*
 * The page of a time chart, with flame graphs of where threads wait and, if that was sampled, of
 * where they run.
 */

struct session_sample;
struct timechart;

/* A wait of @t is over; see chart_options.waited. @arg: the struct timechart. */
chart_waited_fn timechart_log_wait;

/* Takes a sample of where a thread runs. */
void timechart_log_sample(struct timechart *t, const struct session_sample *s);

/*
 * Makes the page, without the chart itself: page.chart and its view are the caller's. The page
 * borrows nothing, and is released with page_done().
 */
void timechart_page_make(const struct timechart *t, struct page *ret);
