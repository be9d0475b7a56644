/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds the place of a kernel probe in terms of its source. */
#include <stdbool.h>
#include <stdint.h>

struct probe_target;
struct trace_probe;

/* The place of a probe. Strings may be NULL if they are not known. */
struct probe_place {
	const char *function;
	const char *file;
	int64_t line; /* counted from the function's first line; with @has_line */
	bool has_line;
	uint64_t offset; /* in the function, or the address */
};

/*
 * Returns the place of @p in its image: from debug information, else from symbols. Without @target
 * (NULL), or if neither knows the address, the kernel's data is used. The strings belong to @p and
 * @target.
 */
struct probe_place probe_place_find(const struct trace_probe *p, struct probe_target *target);
