/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The branches of a sample as lists of dictionaries: addresses and flags (`brstack'), functions
 * (`brstacksym'). Private to tools/script.
 */
#include "base/python.h"

struct python_values;
struct session;
struct session_sample;

/* New references; empty lists without branches. NULL: Python's error is set. */
PyObject *python_branches(struct python_values *v, const struct session *s,
			  const struct session_sample *ss);
PyObject *python_branch_symbols(struct python_values *v, const struct session *s,
				const struct session_sample *ss);
