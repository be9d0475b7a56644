/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A whole sample as a dictionary: the argument of process_event(), and perf_sample_dict for
 * handlers of tracepoints. Private to tools/script.
 *
 * For each event dictionaries are kept that have all keys in their order, and those values that are
 * the same for all its samples. The dictionary of a sample is a copy of one: it never grows, and
 * only values are set.
 */
#include <stdbool.h>

#include "base/python.h"
#include "session/sample-arch.h"

struct python_chain;
struct python_values;
struct session;
struct session_event;
struct session_sample;

struct python_samples {
	struct session *session;
	struct python_values *values;
	struct python_chain *chain;
	struct sample_arch arch;
};

/* The knowledge about a sample's place, which decides about its keys. */
enum python_place {
	PLACE_NONE,
	PLACE_IMAGE,
	PLACE_SYMBOL,
	PLACES,
};

/* The dictionaries that are kept for an event. */
struct python_sample_form {
	PyObject *whole[PLACES], *sample;
	PyObject *read; /* the tuple in `values` of samples without counts; else NULL */
};

void python_sample_form_make(struct python_sample_form *f, const struct python_samples *p,
			     const struct session_event *e);
void python_sample_form_done(struct python_sample_form *f);

/* Returns the dictionary of @ss, a new reference. NULL: Python's error is set. */
PyObject *python_sample_dict(struct python_samples *p, const struct python_sample_form *f,
			     const struct session_sample *ss);
