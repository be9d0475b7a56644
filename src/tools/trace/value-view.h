/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Arguments and results of system calls as text and as JSON.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tools/trace/value-out-view.h"

struct json;
struct text;
struct trace_tasks;

/* Appends "fd: 3, buf: "abc", count: 3", without parentheses. */
void trace_args_text(struct text *out, const struct trace_call *c,
		     const struct trace_value_style *style);

/* Appends what stands behind "= ": "3", "-1 ENOENT (No such file or directory)", "0xffff…". */
void trace_result_text(struct text *out, const struct trace_call *c,
		       const struct trace_value_style *style);

/* One argument as text; false, and nothing is appended: it is hidden. */
bool trace_arg_text(struct text *out, const struct trace_call *c, unsigned arg,
		    const struct trace_value_style *style);

/*
 * A number of the C type @type as tracepoints write it ("enum hrtimer_mode"), by its name. false,
 * and nothing is appended: no enum, or a number without a name.
 */
bool trace_enum_text(struct text *out, const char *type, uint64_t value,
		     const struct trace_value_style *style);

/* Member "args": an object with a typed value for every argument, and the result's members. */
void trace_args_json(struct json *j, const struct trace_call *c,
		     const struct trace_value_style *style);
void trace_result_json(struct json *j, const struct trace_call *c,
		       const struct trace_value_style *style);
