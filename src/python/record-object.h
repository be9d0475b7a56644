/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records as Python objects: perf.mmap_event, perf.sample_event and so on.
 *
 * An object owns a copy of what its record says. The fields of a sample that came with it are named
 * sample_*, as in all programs that use this module.
 */
#include "python/module.h"
#include "wire/record.h"
#include "wire/sample.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

struct session_core;
struct session_event;

/* Where a record comes from. */
struct record_origin {
	const struct attr *attr; /* that its layout follows */
	bool swap;
	PyObject *evsel;                   /* borrowed; or NULL */
	struct session_core *core;         /* of a recording; or NULL: live */
	const struct session_event *event; /* the same */
	uint64_t time, period;             /* of a recording's sample: as the session gives them */
};

/*
 * The object for the record of @size bytes at @bytes; None if there is no type for it. A malformed
 * record raises perf.error.
 */
PyObject *record_object_new(const uint8_t *bytes, size_t size, const struct record_origin *from);
#endif
