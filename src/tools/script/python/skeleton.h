/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The beginning of a Python script for a recording (perf script -g python): a handler for each
 * tracepoint that prints every field, and those that all scripts have.
 *
 * Names come from a recording and are hostile: what is no identifier never gets into the script.
 * Needs no Python.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tracepoint_format;
struct tracepoint_plan;

struct skeleton_event {
	const char *system, *name; /* "sched", "sched_switch" */
	const struct tracepoint_format *format;
	const struct tracepoint_plan *plan; /* which fields have names; or NULL */
};

struct skeleton {
	const struct skeleton_event *events; /* of several with the same names, the first counts */
	size_t n_events;
	bool others; /* the recording has events that are no tracepoints */
};

/* Writes the script. Errors are those of @out. */
void python_skeleton_print(const struct skeleton *s, FILE *out);

/* Whether @name is an identifier of Python that is no keyword. */
bool python_is_identifier(const char *name);
