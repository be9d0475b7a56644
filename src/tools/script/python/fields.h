/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The fields of a tracepoint as Python values, bound once for an event. Private to tools/script.
 *
 * Numbers are those of Linux's perf: only fields of 8 bytes are signed, and smaller ones are not
 * extended. Arrays of char are str, other arrays are bytearray. An array of bytes is str as long as
 * each value so far was a text that ends with a NUL.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/python.h"
#include "tracepoint/field.h"

struct sample;
struct tracepoint_format;

struct python_field {
	struct field_ref ref;
	PyObject *name;
	bool is_array, is_text, is_bytes, is_signed;
};

struct python_fields {
	struct python_field *items;
	size_t n;
	struct field_ref pid;                        /* the field common_pid */
	struct field_ref flags, preempt, lock_depth; /* for perf_trace_context */
};

/* Binds the fields of @format, which may be NULL, without the common ones. */
void python_fields_bind(struct python_fields *f, const struct tracepoint_format *format, bool swap);
void python_fields_done(struct python_fields *f);

/* Returns the value of a field in a sample, a new reference. NULL: Python's error is set. */
PyObject *python_field_value(struct python_field *f, const struct sample *s);
