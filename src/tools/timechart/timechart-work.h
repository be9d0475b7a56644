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

/* A request. Its texts are borrowed. */
struct timechart_request {
	const char *path; /* "-": standard input */
	bool force;       /* also read files of other owners */
	struct symbol_request symbols;
	const char *buildid_dir;   /* the files' build-id cache; NULL: none */
	struct progress *progress; /* or NULL */
	struct time_window time;
	struct chart_options chart;
	struct chart_rows_request rows;
	bool by_topology; /* put CPUs that share a core or socket next to each other */
	bool with_page;   /* make flame graphs of selections */
};

struct timechart {
	struct chart chart;
	struct chart_rows rows;
	struct chart_stacks stacks;
	uint32_t *cpus; /* indices in chart.cpus, in drawing order */
	bool has_stacks;
	/* Private, except for the page: */
	struct profile profile;
	struct chart_samples samples;
	struct cell_log log; /* waits and samples with times, for with_page */
	struct intern comms; /* names used by the log */
	uint64_t bin_ns;     /* the bins at which waits are cut in the log */
	const struct timechart_request *rq;
	struct diag *diag;
	bool has_begun, has_profile;
};

/*
 * Reads the recording. Returns -ENODATA with @diag, which explains how to record, if there is
 * nothing to draw. Other errors are those of session_feed(). *@ret must be released with
 * timechart_done() in any case.
 */
int timechart_make(const struct timechart_request *rq, struct timechart *ret, struct notes *notes,
		   struct diag *diag);
void timechart_done(struct timechart *t);

/*
 * Makes the page of a time chart, with flame graphs of the places at which threads wait and, if
 * that was sampled, at which they run.
 */

struct session_sample;
struct timechart;

/* Logs a wait of @t that is over; see chart_options.waited. @arg is the struct timechart. */
chart_waited_fn timechart_log_wait;

/* Takes a sample of a running thread. */
void timechart_log_sample(struct timechart *t, const struct session_sample *s);

/*
 * Makes the page without the chart itself: the caller adds page.chart and its view. The samples of
 * @t are used up. The page borrows nothing, and is released with page_done().
 */
void timechart_page_make(struct timechart *t, struct page *ret);
