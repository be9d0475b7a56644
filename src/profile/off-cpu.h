/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waiting times of a recording, by stack. Samples of sched:sched_switch report with which stack and
 * in which state a thread leaves its CPU, and which thread comes instead; sched:sched_waking (or
 * sched_wakeup) reports which thread wakes it; PERF_RECORD_SWITCH (--switch-events) reports that a
 * thread comes and goes, even if other threads of the machine were not recorded.
 *
 * With @wall, it covers all of a thread's time: the samples of an event that counts time or cycles
 * show where the thread runs.
 *
 * It is fed in order of time. Stacks are placed in the tallies of a collector, without weight.
 * Their weights are the times in off_cpu_times(), which refer to them by number.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/wait-times.h"

struct collector;
struct diag;
struct notes;
struct off_cpu;
struct record_batch;
struct sample_batch;
struct sample_filter;
struct session;
struct session_event;

struct off_cpu_options {
	const struct session *session;
	struct collector *collector;        /* a collector with one worker */
	const struct sample_filter *filter; /* for CPUs; NULL: none */
	struct wait_times_options times;
	bool wall;
};

/* The place of a stack. */
struct off_cpu_stack {
	const struct session_event *event;
	uint32_t node;     /* in the event's tally; a root: only the thread is known */
	const char *waker; /* the name of a waker; NULL: an interrupt, in any task */
};

/*
 * Checks that the recording has the needed data. -ENODATA with @diag, which says how to record it.
 */
int off_cpu_check(const struct session *s, bool wall, struct diag *diag);

/*
 * True if the recording was made by Linux's `perf record --off-cpu`: the periods of this event are
 * the times that were spent waiting.
 */
#define OFF_CPU_SUMMED_EVENT "offcpu-time"
bool off_cpu_has_summed_event(const struct session *s);

struct off_cpu *off_cpu_new(const struct off_cpu_options *o);
void off_cpu_free(struct off_cpu *o);
DEFINE_FREEP(off_cpu)

/* True if samples or records of @e, one of the first events, report threads that wait or run. */
bool off_cpu_places(const struct off_cpu *o, const struct session_event *e);

/* Returns the RECORD_TYPE_BIT() of the records that off_cpu_take_records() needs. */
uint64_t off_cpu_record_types(void);

/* Take samples and records, in order of time. */
void off_cpu_take(struct off_cpu *o, const struct sample_batch *b);
void off_cpu_take_records(struct off_cpu *o, const struct record_batch *b);

/*
 * Completes the times. -ENODATA with @diag: few waits were seen whole, because the recording shows
 * only when its threads leave.
 */
int off_cpu_finish(struct off_cpu *o, struct diag *diag);

const struct wait_times *off_cpu_times(const struct off_cpu *o);
const struct collector *off_cpu_collector(const struct off_cpu *o);

/* Returns the stack with that number, which comes from a wait_time. */
struct off_cpu_stack off_cpu_stack(const struct off_cpu *o, uint32_t number);

/* Adds notes on waits that were not seen whole, and how they were counted. */
void off_cpu_note(const struct off_cpu *o, struct notes *notes);
