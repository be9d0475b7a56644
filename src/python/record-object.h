/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records as Python objects: perf.mmap_event, perf.sample_event and so on.
 *
 * An object owns a copy of its record's data. The fields of a sample that came with the record are
 * named sample_*, as in all programs that use this module.
 */
#include "python/module.h"
#include "wire/record.h"
#include "wire/sample.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

struct session_core;
struct session_event;

/* The origin of a record. */
struct record_origin {
	const struct attr *attr; /* the attr that defines its layout */
	bool swap;
	PyObject *evsel;                   /* borrowed; or NULL */
	struct session_core *core;         /* the recording's; or NULL: live */
	const struct session_event *event; /* the recording's; or NULL: live */
	uint64_t time, period;             /* for a recording's sample: as the session gives them */
};

/*
 * Makes the object for the record of @size bytes at @bytes; None if there is no type for it. A
 * malformed record raises perf.error.
 */
PyObject *record_object_new(const uint8_t *bytes, size_t size, const struct record_origin *from);
#endif
