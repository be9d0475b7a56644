/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A whole sample as a dictionary: the argument of process_event(), and perf_sample_dict for
 * handlers of tracepoints. Private to tools/script.
 *
 * For each event a dictionary is kept that has all keys, and those values that are the same for all
 * its samples. The dictionary of a sample is a copy of it.
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

/* The dictionaries that are kept for an event. */
struct python_sample_form {
	PyObject *whole, *sample;
	bool is_plain_read; /* the counts of its samples never vary */
};

void python_sample_form_make(struct python_sample_form *f, const struct python_samples *p,
			     const struct session_event *e);
void python_sample_form_done(struct python_sample_form *f);

/* Returns the dictionary of @ss, a new reference. NULL: Python's error is set. */
PyObject *python_sample_dict(struct python_samples *p, const struct python_sample_form *f,
			     const struct session_sample *ss);
