/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The distribution of a tracepoint's field, or of the time between pairs of events: live, or from a
 * recording.
 *
 *	live ──► bpf/hist: a program counts rows in the kernel          ─┐
 *	     ├─► one event with a filter for each row (hist-filters)     ├─► struct histogram
 *	     └─► samples through ring buffers ─┐                         │
 *	file ──► session_feed() ───────────────┴─► hist-samples         ─┘
 *
 * Filters are used if BPF is not available. Ring buffers are used if filters cannot count: for
 * pairs, and for the few tracepoints that count more than one each time.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/choice.h"
#include "measure/record.h"
#include "measure/target.h"
#include "pairs/histogram.h"

struct diag;
struct notes;
struct progress;
struct hist_sums;
struct pair_preset;
struct pair_spec;

/* The callbacks that are called while the kernel counts. */
struct hist_listener {
	/* Called when counting has begun; or NULL. */
	void (*begin)(void *arg);
	/* Called with the counts since the table before, up to @time_ns since the begin. */
	void (*table)(void *arg, const struct histogram *h, uint64_t time_ns);
	void *arg;
};

/*
 * The request for a histogram. All zero but @event and @field or @pairs: the whole system, until a
 * signal. Texts are borrowed.
 */
struct hist_request {
	/*
	 * The thing that is counted: a field of an event; or, without an event, pairs, given or by
	 * name.
	 */
	const char *event, *field;
	const struct pair_spec *pairs;
	const struct pair_preset *preset;
	const char *function; /* or calls of this kernel function: by BPF or not at all */
	const char *filter;   /* in the kernel's language, for the event or all events; or NULL */

	struct histogram_scale scale;
	uint64_t unit_ns; /* for pairs: the unit of the scale's bounds; 0 is 1 */

	/* A recording: */
	const char *input; /* or NULL */
	bool force;        /* read the file whoever owns it */
	/* Live measurement, instead of a file: */
	char *const *argv; /* the command, NULL-terminated; empty: none */
	struct target target;
	const char *cgroup;        /* or NULL */
	uint64_t timeout_ms;       /* 0: none */
	uint64_t interval_ms;      /* a table for each interval; 0: one table at the end */
	struct progress *progress; /* the progress of reading a recording; or NULL */
	enum choice bpf;           /* yes: only BPF may be used */

	struct hist_listener listener;
	struct hist_sums *sums; /* set to the sums of all pairs, if BPF counts them; or NULL */
	bool verbose;           /* a note says how the values are counted */
};

void hist_request_done(struct hist_request *rq);

/*
 * Counts as @rq says, and calls the listener. Notes on what is missing go to @notes. Returns a
 * negative errno with @diag set. *@ret is set in any case; for a file it is all zeros.
 */
int hist_run(const struct hist_request *rq, struct notes *notes, struct record_result *ret,
	     struct diag *diag);
