/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Arguments and results of system calls as text and as JSON.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tools/trace/kept-call-model.h"

struct json;
struct text;
struct trace_tasks;

struct trace_value_style {
	bool shows_prefix;         /* O_RDONLY, not RDONLY */
	bool shows_names;          /* "fd: 3", not "3": also for members of structs */
	bool shows_zeros;          /* arguments that are 0, too */
	bool prefers_btf;          /* structs as the kernel's BTF has them */
	bool shows_all;            /* -v: members of little use, whole structs */
	struct trace_tasks *tasks; /* for the names of tasks and paths of descriptors */
	/* A struct and an enum of the kernel by name, from BTF; each may be NULL, or return it. */
	const struct struct_layout *(*layout)(void *arg, const char *name);
	const struct value_table *(*enumeration)(void *arg, const char *name);
	void *btf;
};

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
