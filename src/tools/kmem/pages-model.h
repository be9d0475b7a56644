/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts pages: the allocations of call sites, by order, migrate type and flags; and the fate of
 * each page.
 *
 * The model grows with call sites and with distinct pages. Rows of pages are kept only if they are
 * wanted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct kmem_event;

/* The numbers of columns and lines of the summary. */
#define PAGE_ORDERS        11
#define PAGE_MIGRATE_TYPES 5

/*
 * The smallest page, in which orders count. It does not depend on the machine's page size, as in
 * Linux's perf.
 */
#define PAGE_BYTES 4096

/* The sums for a page, or for a call site, with the same order, type and flags. */
struct kmem_page_row {
	uint64_t page;      /* 0 for a call site */
	uint64_t call_site; /* for a page: the last one */
	uint32_t order;
	int32_t migratetype;
	uint64_t gfp_flags;
	uint64_t hits, bytes;
	uint32_t next; /* index + 1 of another row of the same page or call site; 0: none */
};

struct page_sum {
	uint64_t requests, bytes;
};

struct page_totals {
	struct page_sum allocations, frees, failures;
	struct page_sum freed;     /* frees with a known allocation */
	struct page_sum free_only; /* frees without a known allocation */
	/* Counts of allocations, or, with `live`, of pages that were not freed. */
	uint64_t orders[PAGE_ORDERS][PAGE_MIGRATE_TYPES];
};

struct page_rows {
	struct kmem_page_row *items;
	size_t n, room;
	struct u64_map first_of; /* maps a page or call site to the index of its first row, + 1 */
};

struct page_model {
	/* Options, which are set beforehand: */
	bool live;       /* count only what was not freed for call sites */
	bool wants_rows; /* also makes rows of pages */

	struct page_totals totals;
	struct page_rows callers, pages;
	/* One row for each page that was ever allocated; `hits` is 0 after it is freed. */
	struct page_rows open;
};

void page_model_done(struct page_model *m);

/*
 * Count pages that were allocated at @call_site (KMEM_PAGE_ALLOC), or freed (KMEM_PAGE_FREE). O(1).
 */
void page_model_alloc(struct page_model *m, const struct kmem_event *e, uint64_t call_site);
void page_model_free(struct page_model *m, const struct kmem_event *e);

/*
 * page_model_add() adds sums that were counted elsewhere: @row->hits allocations by
 * @row->call_site, @frees of which were freed. page_model_add_page() adds a page that is still
 * allocated.
 */
void page_model_add(struct page_model *m, const struct kmem_page_row *row, uint64_t frees);
void page_model_add_page(struct page_model *m, const struct kmem_page_row *row);

/* Returns the allocations that were not freed, including those that failed. */
struct page_sum page_model_alloc_only(const struct page_model *m);

/*
 * Returns the size of 2^@order pages in bytes. Orders above the largest possible one count as that
 * order.
 */
uint64_t page_order_bytes(uint32_t order);

/*
 * Return copies of the rows, which the caller frees. Rows of call sites are in ascending order of
 * call site, order, type and flags. Rows of pages are in ascending order of page, order, type and
 * flags, or, with `live`, in descending order of pages.
 */
struct kmem_page_row *page_model_callers(const struct page_model *m, size_t *ret_n);
struct kmem_page_row *page_model_pages(const struct page_model *m, size_t *ret_n);

/*
 * Returns the flags of all allocations that did not fail, some more than once. The caller frees
 * them.
 */
uint64_t *page_model_flags(const struct page_model *m, size_t *ret_n);
