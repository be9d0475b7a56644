/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions that share cache lines: for one line the functions that read and write it, and for all
 * lines the functions that contend most. Made from settled lines with names.
 */
#include <stddef.h>
#include <stdint.h>

struct c2c_line;
struct c2c_lines;

struct c2c_function {
	const char *name; /* NULL: not known */
	const char *object;
	uint64_t rank;  /* HITMs, or snoops of peers */
	uint64_t loads; /* the number of all loads */
	uint64_t stores;
	uint64_t first_offset, last_offset; /* range in lines, of its accesses */
	size_t n_lines;
	const struct c2c_line *top; /* the line with the largest part of its rank */
	uint64_t top_rank;
};

struct c2c_functions {
	struct c2c_function *items;
	size_t n, room;
};

/* Find the functions that load from @line, by rank, and those that store to it, by stores. */
void c2c_readers(const struct c2c_lines *l, const struct c2c_line *line, struct c2c_functions *ret);
void c2c_writers(const struct c2c_lines *l, const struct c2c_line *line, struct c2c_functions *ret);

/* Finds the functions of all shown lines, by rank and then stores. */
void c2c_functions_of_all(const struct c2c_lines *l, struct c2c_functions *ret);

void c2c_functions_done(struct c2c_functions *f);
