/* SPDX-License-Identifier: MIT */
#pragma once
/* The table of cache lines, a row for each, and the rows of the accesses to each of them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct c2c_entry;
struct c2c_lines;

enum c2c_node_info {
	C2C_NODES,       /* 0 1 */
	C2C_NODE_SHARES, /* 0{ 2 100.0%    n/a} */
	C2C_NODE_CPUS,   /* 0{0-1} */
};

struct c2c_view {
	enum c2c_node_info nodes;
	size_t n_nodes; /* the number of nodes of the machine */
	const int32_t *node_of_cpu;
	bool full_symbols, no_source;
	unsigned terminal_columns; /* 0: lines have any length */
	/* Prints the part below the row of @e: its call tree; or NULL. */
	void (*below)(void *arg, const struct c2c_entry *e, FILE *out);
	void *arg;
};

/*
 * Print the tables, and return how many columns do not fit the terminal; @terminal_columns 0: all
 * do.
 */
size_t c2c_lines_print(const struct c2c_lines *l, unsigned terminal_columns, FILE *out);
size_t c2c_pareto_print(const struct c2c_lines *l, const struct c2c_view *v, FILE *out);

/* Returns the number of blanks before all addresses of lines, in their column. */
size_t c2c_lines_spare(const struct c2c_lines *l);

/* The columns "Node" and "PA cnt": the place of data in memory. */

struct c2c_physical;

/* Prints two cells with two blanks between them. */
void c2c_physical_print(const struct c2c_physical *p, FILE *out);
