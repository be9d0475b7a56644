/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The work of `perf report`: from the profile to the printed report. What its parts share; private
 * to cmd/report*.
 */
#include <regex.h>
#include <stdbool.h>

#include "profile/collector.h"
#include "profile/report-plan.h"
#include "session/event-switch.h"
#include "wire/topology.h"

struct diag;
struct invocation;
struct report_opts;
struct sample_filter;
struct session;
struct symbolizer;

struct report_job {
	struct invocation *inv;
	const struct report_opts *opts;
	struct session *session;
	struct symbolizer *symbolizer;
	struct diag *diag;
	struct sample_filter *filter;

	/* What report_collect() makes. */
	struct workers *workers;
	struct event_switch between;
	struct topology topology; /* with --socket-filter */
	enum report_mode mode;
	struct key_env env;
	struct report_plan plan;
	regex_t parent, ignored;
	bool has_parent, has_ignored;
	struct collector *collector;
};

/* Runs it: @inv's options are struct report_opts. Returns the exit status. */
int report_run(struct invocation *inv);

/* The way that call trees go. */
bool report_callers_first(const struct report_job *j);

/* Plans the report and collects the samples. A negative errno with j->diag. */
int report_collect(struct report_job *j);

/* Releases what report_collect() made. */
void report_collect_done(struct report_job *j);

/* Sums up what was collected and prints it. A negative errno if the output fails. */
int report_show(struct report_job *j);

/* PERF_SAMPLE_* whose samples have stacks to show. */
uint64_t report_stack_types(const struct report_opts *o);

/* Prints the blocks of --total-cycles in the place of rows. */
void report_show_blocks(const struct report_job *j);

/* Prints what kinds of branches there were, of all events together. */
void report_show_branch_stats(const struct report_job *j);

/* Tells on stderr of samples without names, why, and what helps. */
void report_explain_missing(const struct report_job *j);
