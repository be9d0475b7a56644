/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call chain of a sample as a list of dictionaries, innermost first: {'ip', 'sym': {'start',
 * 'end', 'binding', 'name'}, 'sym_off', 'sym_srcline', 'dso'}. Private to tools/script.
 *
 * Each sample gets dictionaries of its own, copied from those that are kept for each place, because
 * a script may change them.
 */
#include <stdint.h>

#include "base/python.h"
#include "session/call-chain.h"

struct python_values;
struct session;
struct session_sample;

struct python_chain {
	struct call_chain chain;
	struct session *session;
	struct python_values *values;
	uint64_t max;
	enum inlines inlines;
};

void python_chain_init(struct python_chain *c, struct session *s, struct python_values *v,
		       uint64_t max, enum inlines inlines);
void python_chain_done(struct python_chain *c);

/* Returns the list, a new reference. NULL: Python's error is set. */
PyObject *python_chain_list(struct python_chain *c, const struct session_sample *ss);

/* Release what is kept for a place, and for a function; for u64_map_for_each(). */
void python_frames_drop(void *arg, uint64_t key, void *value);
void python_function_drop(void *arg, uint64_t key, void *value);
