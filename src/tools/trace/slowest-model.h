/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The slowest calls, as texts. A call is formatted only if it is among them, which soon becomes
 * rare.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct trace_slowest;

struct trace_slow_call {
	uint64_t ns;
	uint64_t order; /* the number of calls that were added before */
	char *text;
};

/* Keeps the @n slowest calls. */
struct trace_slowest *trace_slowest_new(size_t n);
void trace_slowest_free(struct trace_slowest *s);
DEFINE_FREEP(trace_slowest)

/* True if a call that took @ns would be among them. */
bool trace_slowest_wants(const struct trace_slowest *s, uint64_t ns);

/* Adds a call that is wanted, and takes ownership of @text. */
void trace_slowest_add(struct trace_slowest *s, uint64_t ns, char *text);

/*
 * Returns the calls, the slowest first, and among equal ones the earlier first. No call can be
 * added afterwards.
 */
const struct trace_slow_call *trace_slowest_list(struct trace_slowest *s, size_t *ret_n);
