/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the tables of `perf kmem stat` about the slab allocator, in the text of Linux's perf. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmem_keys;
struct slab_model;
struct text;

/* Appends the name of an address. False: it has no name. */
struct kmem_symbols {
	bool (*name)(void *arg, uint64_t addr, bool with_offset, struct text *out);
	void *arg;
};

struct slab_table {
	const struct kmem_symbols *symbols; /* NULL: addresses are numbers (--raw-ip) */
	const struct kmem_keys *keys;
	int64_t lines; /* the maximum; below 0: all */
};

/* Append the table by call site, and the table by address. */
void slab_print_callers(const struct slab_model *m, const struct slab_table *t, struct text *out);
void slab_print_pointers(const struct slab_model *m, const struct slab_table *t, struct text *out);

/* Appends the table of what was not freed, by call site. */
void slab_print_live(const struct slab_model *m, const struct slab_table *t, struct text *out);

/* Appends the totals of the slab allocator. */
void slab_print_summary(const struct slab_model *m, struct text *out);

/* Common parts of the tables of `perf kmem stat`: rules, and the number of shown rows. */

/* Appends a line of dashes. */
void kmem_print_rule(struct text *out);

/*
 * Returns the number of the @n rows that are shown in at most @lines lines. Below 0 means no limit.
 */
size_t kmem_rows_shown(size_t n, int64_t lines);

/* True if a row of dots follows: when rows are left out, and in a table without rows. */
bool kmem_rows_are_cut(size_t n, int64_t lines);
