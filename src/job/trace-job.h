/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the sources of calls share (job/trace.h): the model, and what is left out before the sink.
 */
#include "job/trace.h"
#include "session/consumer.h"
#include "session/event-switch.h"
#include "tracepoint/field.h"

struct trace_samples;

/* What samples of an event are for. */
struct trace_event_use {
	bool is_shown;
	struct field_ref runtime; /* of sched:sched_stat_runtime, if it is accrued */
};

struct trace_job {
	const struct trace_request *rq;
	struct notes *notes;
	struct diag *diag;
	struct trace_model *model;
	struct trace_samples *samples; /* once the source is known */
	struct consumer inner;         /* its consumer */
	struct event_switch turned;    /* --switch-on, --switch-off */
	bool has_started;
	uint64_t shown;
	struct trace_event_use *uses; /* by index of the session's events */
	/* How many samples of each event may still be shown; NULL: there are no limits. */
	uint64_t *left;
	size_t n_left;
	/* Before each sample: what happened earlier elsewhere is handed over; or NULL. */
	int (*before_sample)(void *arg, uint64_t time_ns);
	void *before_arg;
};

/* Begins anew with a model. @tells_blocked as in struct trace_choice. */
void trace_job_begin(struct trace_job *j, bool tells_blocked);

/* A consumer that feeds the model with samples, in which the job's limits hold. */
struct consumer trace_job_consumer(struct trace_job *j, bool takes_calls, bool takes_stacks);

/* Something happened at @time_ns: tells whoever wants to know of the first. */
void trace_job_start(struct trace_job *j, uint64_t time_ns);

/* The end: what has begun is handed over. */
int trace_job_finish(struct trace_job *j);

int trace_read(struct trace_job *j);
int trace_live(struct trace_job *j, struct record_result *ret);
