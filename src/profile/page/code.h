/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Listings of the functions that most samples lie in.
 */
#include <stdbool.h>
#include <stdint.h>

struct cell_log;
struct frames;
struct page;
struct page_tree;
struct workers;

struct page_code_source {
	const struct cell_log *log;
	const struct frames *places; /* by address, that the log refers to */
	struct workers *workers;
	bool with_source; /* lines of source between instructions */
	const char *prefix;
	uint64_t prefix_strip; /* of the paths of source files: profile/annotate.h */
};

/*
 * Adds functions to @p. Returns, for each of the places, 1 + the number of its instruction, or 0;
 * the caller frees it.
 */
uint32_t *page_add_code(struct page *p, struct page_tree *t, const struct page_code_source *s);
