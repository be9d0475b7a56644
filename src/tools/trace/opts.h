/* SPDX-License-Identifier: MIT */
#pragma once
/* The options of perf trace, and the commands of tools/trace/show.c and tools/trace/record.c. */
#include <stdbool.h>
#include <stdint.h>

#include "measure/event-words.h"
#include "symbol/symbol-request.h"
#include "tools/trace/line-view.h"
#include "tools/trace/summary-view.h"
#include "tools/trace/trace-work.h"

struct diag;
struct invocation;

struct trace_opts {
	struct trace_request rq;
	struct event_words typed; /* -e, --filter, -G in their order */
	enum choice syscalls;
	const char *output;
	struct trace_line_style line;
	enum choice comm;
	/* Settings of perfconfig for lines. */
	enum choice arg_names, duration, timestamp;
	uint64_t alignment;
	uint64_t duration_ns;
	bool with_summary, only_summary;
	uint64_t interval_ms; /* the interval of tables during the run; 0: not set */
	enum trace_summary_mode summary_mode;
	struct trace_summary_style summary;
	enum choice bpf_summary;
	uint64_t max_summary;
	uint64_t max_stack, min_stack;
	bool print_sample;
	uint64_t slowest;
	bool tool_stats;
	const char *map_dump;
	struct symbol_request symbols;
	unsigned verbose;
};

/* Traces, and shows the events. Returns the exit status. */
int trace_show(struct invocation *inv, struct diag *diag);

/*
 * perf trace record: runs perf record with the tracepoints of system calls. Returns the exit
 * status.
 */
int trace_record(struct invocation *inv);
