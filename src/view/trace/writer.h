/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes the lines of `perf trace`, part by part. Private to view/trace/line*.c.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "view/trace/line.h"

#define TRACE_COLOUR_YELLOW "\033[33m"
#define TRACE_COLOUR_OFF    "\033[m"

struct trace_lines {
	struct trace_line_style style;
	FILE *out;
	struct text text; /* lines that did not go out yet */
	bool has_start;
	uint64_t start_ns;
	struct session *session; /* or NULL */
};

/* Whose line it is, and when. */
struct trace_line_head {
	bool has_time;
	uint64_t time_ns;
	bool has_duration;
	uint64_t duration_ns;
	uint16_t cpu;
	const struct trace_task *task;
};

/* "     0.111 ( 0.008 ms): ls/28994 " */
void trace_line_head(struct trace_lines *l, const struct trace_line_head *h);

/* A call as text, with its line end. */
void trace_line_call(struct trace_lines *l, const struct trace_call *c);
