/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A time chart out of samples: tracepoints of the scheduler, of power states and of I/O calls.
 * Which ones a recording has is found out once; samples are then read without names.
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
	const char *fd; /* the field of its descriptor; NULL: none */
};

/* All that are looked at; *@ret_n of them, in the order in which they are recorded. */
const struct chart_call_name *chart_call_names(size_t *ret_n);

struct chart_samples {
	struct chart *chart;
	const struct session *session;
	struct sched_events sched;
	struct chart_source *sources; /* by event */
	size_t n_sources;
	bool has_sched, has_power, has_calls; /* what was recorded */
	/* Numbers the stack of a sample, or LANE_NONE; NULL: stacks are not wanted. */
	uint32_t (*place)(void *arg, const struct session_sample *s);
	void *arg;
};

/*
 * Binds the events of @s, for a chart that has seen nothing yet; it is told whether the recording
 * has wake-ups.
 */
void chart_samples_bind(struct chart_samples *cs, struct chart *chart, const struct session *s);
void chart_samples_done(struct chart_samples *cs);

/* Whether samples of @e are of use. */
bool chart_samples_want(const struct chart_samples *cs, const struct session_event *e);

/* Takes samples, in order of time. */
void chart_samples_take(struct chart_samples *cs, const struct sample_batch *b);
