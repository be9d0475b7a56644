/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What to trace with ftrace: functions, by which tracer, of whom, and how it is shown.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/target.h"

#define FTRACE_FUNCTION "function"
#define FTRACE_GRAPH    "function_graph"

/* Names of functions, or patterns; borrowed. */
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
	uint64_t depth;     /* 0: as deep as it goes */
};

/* All zero: the function_graph tracer for the whole system, until a signal. Texts are borrowed. */
struct ftrace_request {
	const char *tracing; /* the tracing directory */
	char *const *argv;   /* the command, NULL-terminated; empty: none */
	struct target target;
	const char *tracer; /* when no functions are given; NULL: function_graph */
	bool needs_graph;   /* function_graph whatever is given */
	/* -T, -N, -G, -g */
	struct ftrace_functions traced, not_traced, graphed, not_graphed;
	struct ftrace_function_look function;
	struct ftrace_graph_look graph;
	uint64_t buffer_kb; /* for each CPU; 0: as it is */
	bool inherit;
	uint64_t delay_ms;
	bool verbose; /* notes tell more */
};

void ftrace_request_done(struct ftrace_request *rq);

bool ftrace_request_has_command(const struct ftrace_request *rq);

/* The tracer that the functions ask for, or the one that was chosen. */
const char *ftrace_request_tracer(const struct ftrace_request *rq);
