/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The lines of perf trace: calls, other events, page faults, losses; as text or as JSON, one object
 * a line. Bytes go to a stream in large pieces.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "tools/trace/writer-view.h"

struct session;
struct trace_lines;
struct trace_task;

/* What kernels record at most, unless kernel.perf_event_max_stack says otherwise. */
#define TRACE_MAX_STACK 127

struct trace_lines *trace_lines_new(FILE *out, const struct trace_line_style *style);
void trace_lines_free(struct trace_lines *l);
DEFINE_FREEP(trace_lines)

/*
 * Times are shown since @time_ns, which is that of the first event, whether that is shown or not.
 * Without this, since the first line.
 */
void trace_lines_start(struct trace_lines *l, uint64_t time_ns);

/*
 * Samples come from @s, which outlives @l: it knows names of addresses, for stacks and page faults,
 * and formats of tracepoints. Without a session, samples and stacks are left out.
 */
void trace_lines_session(struct trace_lines *l, struct session *s);

/* Each returns a negative errno if the stream cannot be written. @task NULL: not known. */
int trace_lines_call(struct trace_lines *l, const struct trace_call *c);
int trace_lines_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task);
int trace_lines_lost(struct trace_lines *l, uint64_t time_ns, uint64_t count);

/* What was kept back so far goes out. */
int trace_lines_flush(struct trace_lines *l);
