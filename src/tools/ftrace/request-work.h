/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request to ftrace: the functions, the tracer, the tasks that are traced, and the look of the
 * output.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/target.h"

#define FTRACE_FUNCTION "function"
#define FTRACE_GRAPH    "function_graph"

/* Names or patterns of functions. The strings are borrowed. */
struct ftrace_functions {
	const char **items;
	size_t n, room;
};

struct ftrace_function_look {
	bool call_graph, irq_info;
};

struct ftrace_graph_look {
	bool args, retval, retval_hex, retaddr, nosleep_time, noirqs, verbose, tail;
	uint64_t thresh_us; /* 0: calls of any duration */
	uint64_t depth;     /* 0: no limit */
};

/*
 * A request that is all zero means: the function_graph tracer for the whole system, until a signal.
 * Strings are borrowed.
 */
struct ftrace_request {
	const char *tracing; /* the tracing directory */
	char *const *argv;   /* the command, NULL-terminated; empty: no command */
	struct target target;
	const char *tracer; /* used when no functions are given; NULL: function_graph */
	bool needs_graph;   /* use function_graph whatever is given */
	/* -T, -N, -G, -g */
	struct ftrace_functions traced, not_traced, graphed, not_graphed;
	struct ftrace_function_look function;
	struct ftrace_graph_look graph;
	uint64_t buffer_kb; /* for each CPU; 0: unchanged */
	bool inherit;
	uint64_t delay_ms;
	bool verbose; /* notes give details */
};

void ftrace_request_done(struct ftrace_request *rq);

bool ftrace_request_has_command(const struct ftrace_request *rq);

/* Returns the tracer that the given functions need, or else the chosen one. */
const char *ftrace_request_tracer(const struct ftrace_request *rq);
