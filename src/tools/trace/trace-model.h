/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes calls from events, and determines the order in which they are shown.
 *
 *	call_event (BPF or samples) ─► model: tasks, begin and end matched ─► choice ─► sink
 *
 * A call is passed to the sink when it ends. If it waits, and something else is to be shown
 * meanwhile, it is passed in two parts: TRACE_CALL_BEGUN before that, TRACE_CALL_CONTINUED when it
 * ends. If its duration or result decides whether it is shown at all, or if the sink wants whole
 * calls, it is never passed in parts.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"

struct session_sample;
struct trace_model;

/*
 * Callbacks return 0 to go on, > 0 to stop, < 0 to stop with that error. Afterwards the sink is not
 * called any more, and the functions of the model return the same value.
 */
struct trace_sink {
	int (*call)(void *arg, const struct trace_call *c);
	/*
	 * Called for another event: tracepoint, page fault, ...; @task is NULL if it is unknown. Or
	 * NULL.
	 */
	int (*sample)(void *arg, const struct session_sample *s, struct trace_task *task);
	/* Called where @count events are missing. Or NULL. */
	int (*lost)(void *arg, uint64_t time_ns, uint64_t count);
	void *arg;
};

struct trace_choice {
	uint64_t min_duration_ns; /* only calls that took at least this long */
	bool only_failures;
	bool whole; /* no parts; unfinished calls come last, as BEGUN */
	/*
	 * True if a call is wanted. It is called when the call ends and, if the call is shown in
	 * parts, when it begins (exit_ns is then 0). May be NULL. If the beginning of a call was
	 * shown, its end is shown too.
	 */
	bool (*wants)(void *arg, const struct trace_call *c);
	/*
	 * True if the sink shows samples like this one. Other samples do not interrupt calls. NULL:
	 * all are shown.
	 */
	bool (*shows_sample)(void *arg, const struct session_sample *s);
	void *arg;
	/*
	 * Waiting calls are reported by CALL_EVENT_BLOCKED. If false they are not reported, so any
	 * event may interrupt a call that has begun.
	 */
	bool tells_blocked;
};

/* Makes a model. @tasks must outlive it. */
struct trace_model *trace_model_new(const struct trace_choice *choice, struct trace_tasks *tasks,
				    const struct trace_sink *sink);
void trace_model_free(struct trace_model *m);
DEFINE_FREEP(trace_model)

/* Takes the next event. Returns the result of the sink. */
int trace_model_event(struct trace_model *m, const struct call_event *e);

/* Does the same for an event that was made from the sample @s, which may have a stack. */
int trace_model_event_of(struct trace_model *m, const struct call_event *e,
			 const struct session_sample *s);

/* Takes a sample that is not a system call, in the same order of time. */
int trace_model_sample(struct trace_model *m, const struct session_sample *s);

/*
 * Expects stacks for calls that BPF reports. A sample of raw_syscalls:sys_exit, taken at almost the
 * same time, has the stack. After trace_model_expect_stacks(), a call that has ended is passed on
 * when its sample arrives. Events must therefore be read ahead of samples: before a sample is
 * given, trace_model_event() must have got everything up to a little after its time.
 */
void trace_model_expect_stacks(struct trace_model *m);

/*
 * Takes @s, the sample of the end of call @nr, which returned @result. Earlier calls of its task
 * that still wait have lost their samples, and are passed on first.
 */
int trace_model_stack(struct trace_model *m, const struct session_sample *s, int32_t nr,
		      int64_t result);

/*
 * Notes that all samples before @time_ns were given: calls that ended well before do not wait any
 * longer.
 */
int trace_model_stacks_until(struct trace_model *m, uint64_t time_ns);

/* Ends the input: passes on calls that have begun and not ended, as BEGUN. */
int trace_model_finish(struct trace_model *m);
