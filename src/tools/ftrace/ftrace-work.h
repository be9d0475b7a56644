/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * perf ftrace: the kernel's function tracers.
 *
 *	trace ────► trace_pipe: the kernel's own text ──────────► a listener
 *	profile ──► trace_pipe_raw: pages ─► graph-calls-model ─┬─► struct function_rows
 *	latency ──┤                                             ├─► struct latency
 *	          └► counted in the kernel by bpf/hist ─────────┘
 */
#include <stddef.h>

#include "tools/ftrace/latency-model.h"
#include "tools/ftrace/profile-model.h"
#include "tools/ftrace/request-work.h"

struct diag;
struct notes;

/*
 * Passes the kernel's text, beginning with its header, to @text as it comes. A negative errno of
 * @text ends the run. Errors are those of ftrace_run().
 */
int ftrace_trace(const struct ftrace_request *rq,
		 int (*text)(void *arg, const char *bytes, size_t n), void *arg,
		 struct notes *notes, struct diag *diag);

/* The result of function_profile_rows(), with the names; release with ftrace_profile_done(). */
struct ftrace_profile {
	struct function_rows rows;
	struct function_names *names;
};

/*
 * Profiles all functions of @rq, into rows in @order. Notes on lost calls go to @notes. Errors are
 * those of ftrace_run(); *@ret is then untouched.
 */
int ftrace_profile(const struct ftrace_request *rq, enum function_order order, struct notes *notes,
		   struct ftrace_profile *ret, struct diag *diag);
void ftrace_profile_done(struct ftrace_profile *p);

/* The request for latencies: how they are measured, and of what: */
struct ftrace_latency_request {
	struct ftrace_request what; /* one function, in .traced; */
	const char *events;         /* or the time from one event to another: "a,b" */
	bool uses_bpf;              /* the kernel counts; otherwise the function_graph tracer is
				       read */
};

/* Adds up latencies in @l, which is initialized. Errors are those of ftrace_run(). */
int ftrace_latency(const struct ftrace_latency_request *rq, struct latency *l, struct notes *notes,
		   struct diag *diag);
