/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the tables of `perf kmem stat --page`, in the text of Linux's perf. */
#include <stdbool.h>
#include <stdint.h>

struct gfp_names;
struct kmem_keys;
struct kmem_symbols;
struct page_model;
struct text;

struct page_table {
	const struct kmem_symbols *symbols;
	const struct gfp_names *gfp;
	const struct kmem_keys *keys;
	int64_t lines;  /* the maximum; below 0: all */
	bool by_number; /* pages have numbers, not addresses */
	/*
	 * Type 1 is reclaimable and 2 is movable, as in kernels before 4.4. Newer kernels have it
	 * the other way round.
	 */
	bool old_types;
};

/* Appends the meaning of the short names of flags. */
void page_print_legend(const struct page_table *t, struct text *out);

/* Append the table by call site, and the table by page. */
void page_print_callers(const struct page_model *m, const struct page_table *t, struct text *out);
void page_print_pages(const struct page_model *m, const struct page_table *t, struct text *out);

/* Appends the totals of the page allocator. */
void page_print_summary(const struct page_model *m, bool old_types, struct text *out);
