/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where a probe of the kernel stands, in the words of its source.
 */
#include <stdbool.h>
#include <stdint.h>

struct probe_target;
struct trace_probe;

/* Strings may be NULL: not known. */
struct probe_place {
	const char *function;
	const char *file;
	int64_t line; /* of the function; with @has_line */
	bool has_line;
	uint64_t offset; /* in the function, or the address */
};

/*
 * The place of @p in its image: by debug information, else by symbols; without @target (NULL), or
 * if both know nothing of the address, as the kernel has it. The strings belong to @p and @target.
 */
struct probe_place probe_place_find(const struct trace_probe *p, struct probe_target *target);
