/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions that share cache lines: of one line who reads and who writes it, and of all lines which
 * functions contend most. Made of settled lines with names.
 */
#include <stddef.h>
#include <stdint.h>

struct c2c_line;
struct c2c_lines;

struct c2c_function {
	const char *name; /* NULL: not known */
	const char *object;
	uint64_t rank;  /* HITMs, or snoops of peers */
	uint64_t loads; /* all of them */
	uint64_t stores;
	uint64_t first_offset, last_offset; /* in lines, of what it accesses */
	size_t n_lines;
	const struct c2c_line *top; /* the line with most of its rank */
	uint64_t top_rank;
};

struct c2c_functions {
	struct c2c_function *items;
	size_t n, room;
};

/* Those that load from @line, by rank, and those that store to it, by stores. */
void c2c_readers(const struct c2c_lines *l, const struct c2c_line *line, struct c2c_functions *ret);
void c2c_writers(const struct c2c_lines *l, const struct c2c_line *line, struct c2c_functions *ret);

/* Of all lines that are shown, by rank and then stores. */
void c2c_functions_of_all(const struct c2c_lines *l, struct c2c_functions *ret);

void c2c_functions_done(struct c2c_functions *f);
