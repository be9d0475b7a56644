/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes a time chart from samples: tracepoints of the scheduler, of power states and of I/O calls.
 * The events of a recording are determined once; samples are then read without names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/sched-event.h"
#include "tools/timechart/timechart-model.h"

struct sample_batch;
struct session;
struct session_event;
struct session_sample;
struct chart_source;

/* An I/O call: "read". */
struct chart_call_name {
	const char *name;
	enum chart_io kind;
	const char *fd; /* the field with its descriptor; NULL: none */
};

/* Returns all known calls, *@ret_n of them, in the order in which they are recorded. */
const struct chart_call_name *chart_call_names(size_t *ret_n);

struct chart_samples {
	struct chart *chart;
	const struct session *session;
	struct sched_events sched;
	struct chart_source *sources; /* by event */
	size_t n_sources;
	bool has_sched, has_power, has_calls; /* the kinds of recorded events */
	/* Returns a number for the stack of a sample, or LANE_NONE. NULL: stacks are not wanted. */
	uint32_t (*place)(void *arg, const struct session_sample *s);
	void *arg;
};

/*
 * Binds the events of @s, for a chart without events so far. The chart is told whether the
 * recording has wake-ups.
 */
void chart_samples_bind(struct chart_samples *cs, struct chart *chart, const struct session *s);
void chart_samples_done(struct chart_samples *cs);

/* True if samples of @e are needed. */
bool chart_samples_want(const struct chart_samples *cs, const struct session_event *e);

/* Takes samples, in order of time. */
void chart_samples_take(struct chart_samples *cs, const struct sample_batch *b);
