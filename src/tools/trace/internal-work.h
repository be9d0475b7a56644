/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Common parts of the sources of calls (tools/trace/trace-work.h): the model, and the filters
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

/* The use of an event's samples. */
struct trace_event_use {
	bool is_shown;
	struct field_ref runtime; /* sched:sched_stat_runtime's runtime, if it is summed up */
};

struct trace_job {
	const struct trace_request *rq;
	struct notes *notes;
	struct diag *diag;
	struct trace_model *model;
	struct trace_samples *samples; /* set once the source is known */
	struct consumer inner;         /* the samples' consumer */
	struct event_switch turned;    /* --switch-on, --switch-off */
	uint64_t begin_ns;             /* the begin of a live run */
	struct trace_filter **filters; /* the selection's filters, in its order */
	struct diag remark; /* printed once the rings are open; without a message: nothing */
	bool has_started;
	uint64_t lost; /* events that are known to be missing */
	uint64_t shown;
	struct trace_event_use *uses; /* by index of the session's events */
	/* The number of samples of each event that may still be shown; NULL: no limits. */
	uint64_t *left;
	size_t n_left;
	bool has_programs; /* BPF programs are among the events */
	/* Called before each sample to deliver earlier events of other sources; or NULL. */
	int (*before_sample)(void *arg, uint64_t time_ns);
	void *before_arg;
};

/* Begins anew with a model. @tells_blocked is the same as in struct trace_choice. */
void trace_job_begin(struct trace_job *j, bool tells_blocked);

/* Returns a consumer that feeds the model with samples and applies the job's limits. */
struct consumer trace_job_consumer(struct trace_job *j, bool takes_calls, bool takes_stacks);

/* Notes that something happened at @time_ns. The first time is reported to the listener. */
void trace_job_start(struct trace_job *j, uint64_t time_ns);

/* Ends the job: calls that have begun are delivered. */
int trace_job_finish(struct trace_job *j);

int trace_read(struct trace_job *j);
int trace_live(struct trace_job *j, struct record_result *ret);

/* True if the kernel can count what is requested. */
bool trace_can_count(const struct trace_request *rq);

/*
 * Counts in the kernel. @left_out are processes that do not count. *@ret_refused is the error with
 * which BPF could not begin, with the reason in @why; 0: it could. Other errors with the job's
 * diag.
 */
int trace_count(struct trace_job *j, const struct id_list *left_out, struct record_result *ret,
		int *ret_refused, struct diag *why);

/*
 * Returns the tasks of a job for BPF programs. The caller frees @tids, which has space for all of
 * them.
 */
struct bpf_targets trace_bpf_targets(const struct trace_request *rq, const struct record_job *job,
				     pid_t *tids);

/* Finds the cgroup to which calls are limited. *@ret_fd is -1 if there is none. */
int trace_bpf_cgroup(const struct trace_request *rq, struct record_job *job, int *ret_fd);

/* True if calls of tasks count that were forked by the requested ones. */
bool trace_follows_forks(const struct trace_request *rq);

/* Returns the time from which calls count, on the monotonic clock: 0, or after the delay of -D. */
uint64_t trace_from_ns(const struct trace_request *rq);
