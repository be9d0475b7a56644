/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Formats the lines of perf trace: calls, other events, page faults, losses; as text or as JSON,
 * with one object on each line. Bytes go to a stream in large pieces.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "tools/trace/writer-view.h"

struct session;
struct trace_lines;
struct trace_task;

/* The kernel's maximum depth of stacks, unless kernel.perf_event_max_stack is changed. */
#define TRACE_MAX_STACK 127

struct trace_lines *trace_lines_new(FILE *out, const struct trace_line_style *style);
void trace_lines_free(struct trace_lines *l);
DEFINE_FREEP(trace_lines)

/*
 * Shows times since @time_ns, the time of the first event, even if that event is not shown. Without
 * this call, times are since the first line.
 */
void trace_lines_start(struct trace_lines *l, uint64_t time_ns);

/*
 * Sets the session of samples. @s must outlive @l: it provides the names of addresses, for stacks
 * and page faults, and the formats of tracepoints. Without a session, samples and stacks are
 * omitted.
 */
void trace_lines_session(struct trace_lines *l, struct session *s);

/* Sets what knows interpreted functions while they run. @s must outlive @l. */
void trace_lines_symbols(struct trace_lines *l, const struct symbolizer *s);

/* Each returns a negative errno if the stream cannot be written. @task NULL: unknown. */
int trace_lines_call(struct trace_lines *l, const struct trace_call *c);
int trace_lines_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task);
int trace_lines_lost(struct trace_lines *l, uint64_t time_ns, uint64_t count);

/* Writes everything that is buffered. */
int trace_lines_flush(struct trace_lines *l);
