/* SPDX-License-Identifier: MIT */
#pragma once
/* Formats arguments and results of system calls as text and as JSON. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/trace/value-out-view.h"

struct json;
struct text;
struct trace_tasks;

/* Appends "fd: 3, buf: "abc", count: 3", without parentheses. */
void trace_args_text(struct text *out, const struct trace_call *c,
		     const struct trace_value_style *style);

/* Appends the text after "= ": "3", "-1 ENOENT (No such file or directory)", "0xffff…". */
void trace_result_text(struct text *out, const struct trace_call *c,
		       const struct trace_value_style *style);

/* Appends one argument as text. False, and nothing is appended: it is hidden. */
bool trace_arg_text(struct text *out, const struct trace_call *c, unsigned arg,
		    const struct trace_value_style *style);

/*
 * Appends the name of a number of the C type @type, as written by tracepoints ("enum
 * hrtimer_mode"). False, and nothing is appended: it is not an enum, or the number has no name.
 */
bool trace_enum_text(struct text *out, const char *type, uint64_t value,
		     const struct trace_value_style *style);

/*
 * Adds the member "args": an object with a typed value for every argument, and the result's
 * members.
 */
void trace_args_json(struct json *j, const struct trace_call *c,
		     const struct trace_value_style *style);
void trace_result_json(struct json *j, const struct trace_call *c,
		       const struct trace_value_style *style);
