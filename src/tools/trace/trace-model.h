/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes calls out of events, and says in which order they are shown.
 *
 *	call_event (BPF or samples) ─► model: tasks, begin and end matched ─► choice ─► sink
 *
 * A call is handed over when it ends. If it waits, and something else is to be shown meanwhile, it
 * is handed over in two parts: TRACE_CALL_BEGUN before that, TRACE_CALL_CONTINUED when it ends. If
 * its duration or result decides whether it is shown at all, or if the sink wants whole calls, it
 *is never handed over in parts.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"

struct session_sample;
struct trace_model;

/*
 * Callbacks return 0 to go on, > 0 to stop, < 0 to stop with that error. After that the sink gets
 * nothing more, and the functions of the model return the same.
 */
struct trace_sink {
	int (*call)(void *arg, const struct trace_call *c);
	/* Another event: tracepoint, page fault, ...; @task is NULL if nobody knows whose it is.
	 * Or NULL. */
	int (*sample)(void *arg, const struct session_sample *s, struct trace_task *task);
	/* @count events are missing here. Or NULL. */
	int (*lost)(void *arg, uint64_t time_ns, uint64_t count);
	void *arg;
};

struct trace_choice {
	uint64_t min_duration_ns; /* only calls that took at least so long */
	bool only_failures;
	bool whole; /* no parts; calls that do not end come last, as BEGUN */
	/*
	 * Whether a call is wanted, asked when it ends and, if it is shown in parts, when it begins
	 * (exit_ns is 0 then); or NULL. Once its beginning was shown, so is its end.
	 */
	bool (*wants)(void *arg, const struct trace_call *c);
	/* Whether the sink shows samples like this one: others interrupt no call. NULL: all. */
	bool (*shows_sample)(void *arg, const struct session_sample *s);
	void *arg;
	/*
	 * Calls that wait are known by CALL_EVENT_BLOCKED. false: nobody tells, so each call that
	 * has begun may be interrupted by whatever comes.
	 */
	bool tells_blocked;
};

/* @tasks outlive the model. */
struct trace_model *trace_model_new(const struct trace_choice *choice, struct trace_tasks *tasks,
				    const struct trace_sink *sink);
void trace_model_free(struct trace_model *m);
DEFINE_FREEP(trace_model)

/* Takes the next event. Returns what the sink returned. */
int trace_model_event(struct trace_model *m, const struct call_event *e);

/* The same for an event that was made out of the sample @s, which may have a stack. */
int trace_model_event_of(struct trace_model *m, const struct call_event *e,
			 const struct session_sample *s);

/* Takes a sample that is no system call, in the same order of time. */
int trace_model_sample(struct trace_model *m, const struct session_sample *s);

/*
 * Stacks of calls that BPF tells of. A sample of raw_syscalls:sys_exit, taken at practically the
 * same time, has the stack. From trace_model_expect_stacks() on, a call that has ended is handed
 * over when its sample comes. So events are to be read ahead of samples: before a sample is given,
 * trace_model_event() must have got everything up to a little after its time.
 */
void trace_model_expect_stacks(struct trace_model *m);

/* @s is the sample of the end of call @nr, which returned @result. Calls of its task that ended
 * before and still wait lost theirs, and are handed over first. */
int trace_model_stack(struct trace_model *m, const struct session_sample *s, int32_t nr,
		      int64_t result);

/* All samples before @time_ns were given: calls that ended well before wait no longer. */
int trace_model_stacks_until(struct trace_model *m, uint64_t time_ns);

/* There is nothing more: hands over calls that have begun and did not end, as BEGUN. */
int trace_model_finish(struct trace_model *m);
