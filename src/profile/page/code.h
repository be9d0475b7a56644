/* SPDX-License-Identifier: MIT */
#pragma once
/* Adds listings of the functions that have the most samples. */
#include <stdbool.h>
#include <stdint.h>

struct cell_log;
struct frames;
struct page;
struct page_tree;
struct workers;

struct page_code_source {
	const struct cell_log *log;
	const struct frames *places; /* the places to which the log refers, by address */
	struct workers *workers;
	bool with_source; /* show lines of source between instructions */
	const char *prefix;
	uint64_t prefix_strip; /* for the paths of source files: profile/annotate.h */
};

/*
 * Adds functions to @p. Returns, for each of the places, 1 + the number of its instruction, or 0;
 * the caller frees it.
 */
uint32_t *page_add_code(struct page *p, struct page_tree *t, const struct page_code_source *s);
