/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The calls that took longest, as texts: a call is worth writing down only if it is among them,
 * which gets rare soon.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct trace_slowest;

struct trace_slow_call {
	uint64_t ns;
	uint64_t order; /* how many were added before it */
	char *text;
};

/* Keeps the @n slowest. */
struct trace_slowest *trace_slowest_new(size_t n);
void trace_slowest_free(struct trace_slowest *s);
DEFINE_FREEP(trace_slowest)

/* Would a call that took @ns be among them? */
bool trace_slowest_wants(const struct trace_slowest *s, uint64_t ns);

/* Adds a call that is wanted; @text belongs to @s from now on. */
void trace_slowest_add(struct trace_slowest *s, uint64_t ns, char *text);

/* The slowest first, of equal ones the earlier. Nothing can be added after that. */
const struct trace_slow_call *trace_slowest_list(struct trace_slowest *s, size_t *ret_n);
