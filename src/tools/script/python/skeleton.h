/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The skeleton of a Python script for a recording (perf script -g python): a handler for each
 * tracepoint that prints every field, and the handlers that all scripts have.
 *
 * Names come from a recording and are not trusted: only identifiers get into the script. This does
 * not need Python.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tracepoint_format;
struct tracepoint_plan;

struct skeleton_event {
	const char *system, *name; /* "sched", "sched_switch" */
	const struct tracepoint_format *format;
	const struct tracepoint_plan *plan; /* for the fields with names; or NULL */
};

struct skeleton {
	/* among those with the same names, the first one counts */
	const struct skeleton_event *events;
	size_t n_events;
	bool others; /* the recording has events other than tracepoints */
};

/* Writes the script. Errors are those of @out. */
void python_skeleton_print(const struct skeleton *s, FILE *out);

/* True if @name is an identifier of Python and not a keyword. */
bool python_is_identifier(const char *name);
