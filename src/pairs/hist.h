/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The distribution of a tracepoint's field, or of the time between pairs of events: live, or of a
 * recording.
 *
 *	live ──► bpf/hist: a program counts rows in the kernel          ─┐
 *	     ├─► one event with a filter for each row (hist-filters)     ├─► struct histogram
 *	     └─► samples through ring buffers ─┐                         │
 *	file ──► session_feed() ───────────────┴─► hist-samples         ─┘
 *
 * Filters take over where there is no BPF, ring buffers where filters cannot count: for pairs, and
 * for the few tracepoints that count more than one each time.
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

/* Who is told, while the kernel counts. */
struct hist_listener {
	/* Counting has begun; or NULL. */
	void (*begin)(void *arg);
	/* What was counted since the table before, up to @time_ns since the begin. */
	void (*table)(void *arg, const struct histogram *h, uint64_t time_ns);
	void *arg;
};

/* All zero but @event and @field or @pairs: the whole system, until a signal. Texts are borrowed.
 */
struct hist_request {
	/* What is counted: a field of an event; or without it pairs, given or by name. */
	const char *event, *field;
	const struct pair_spec *pairs;
	const struct pair_preset *preset;
	const char *function; /* or calls of this function of the kernel: by BPF or not at all */
	const char *filter;   /* in the kernel's language, of the event or of all events; or NULL */

	struct histogram_scale scale;
	uint64_t unit_ns; /* of pairs: what the bounds of the scale are given in; 0 is 1 */

	/* A recording, */
	const char *input; /* or NULL */
	bool force;        /* whoever owns the file */
	/* or what happens now: */
	char *const *argv; /* the command, NULL-terminated; empty: none */
	struct target target;
	const char *cgroup;        /* or NULL */
	uint64_t timeout_ms;       /* 0: none */
	uint64_t interval_ms;      /* a table for each; 0: one at the end */
	struct progress *progress; /* of reading a recording; or NULL */
	enum choice bpf;           /* yes: nothing else will do */

	struct hist_listener listener;
	struct hist_sums *sums; /* becomes that of all pairs, if BPF counts them; or NULL */
	bool verbose;           /* a note says how it is counted */
};

void hist_request_done(struct hist_request *rq);

/*
 * Counts as @rq says, and tells the listener. What is missing goes to @notes. A negative errno with
 * @diag set. *@ret is set in any case; of a file it has nothing but zeros.
 */
int hist_run(const struct hist_request *rq, struct notes *notes, struct record_result *ret,
	     struct diag *diag);
