/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the sources of calls share (tools/trace/trace-work.h): the model, and what is left out
 * before the sink.
 */
#include "base/diag.h"
#include "bpf/targets.h"
#include "session/consumer.h"
#include "session/event-switch.h"
#include "tools/trace/trace-work.h"
#include "tracepoint/field.h"

struct record_job;
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
	uint64_t begin_ns;             /* of a live run */
	struct trace_filter **filters; /* of the selection, in its order */
	struct diag remark; /* told once the rings are open; no message: nothing to tell */
	bool has_started;
	uint64_t lost; /* events that are known to be missing */
	uint64_t shown;
	struct trace_event_use *uses; /* by index of the session's events */
	/* How many samples of each event may still be shown; NULL: there are no limits. */
	uint64_t *left;
	size_t n_left;
	bool has_programs; /* BPF programs are among the events */
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

/* Can the kernel count what is asked for? */
bool trace_can_count(const struct trace_request *rq);

/*
 * Lets the kernel count. @left_out: processes that do not count. *@ret_refused: the error with
 * which BPF could not begin, and why is in @why; 0: it could. Errors with the job's diag.
 */
int trace_count(struct trace_job *j, const struct id_list *left_out, struct record_result *ret,
		int *ret_refused, struct diag *why);

/* The tasks of a job for BPF programs; the caller frees @tids, which has room for all of them. */
struct bpf_targets trace_bpf_targets(const struct trace_request *rq, const struct record_job *job,
				     pid_t *tids);

/* Finds the cgroup that calls are limited to: *@ret_fd is -1 if there is none. */
int trace_bpf_cgroup(const struct trace_request *rq, struct record_job *job, int *ret_fd);

/* Do calls count that tasks make which were forked by those that were asked for? */
bool trace_follows_forks(const struct trace_request *rq);

/* When calls begin to count, on the monotonic clock: 0, or after the delay of -D. */
uint64_t trace_from_ns(const struct trace_request *rq);
