/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Pages: what call sites allocated, by order, migrate type and flags; and what became of each page.
 *
 * It grows with call sites and with distinct pages. Rows of pages are kept only if they are wanted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct kmem_event;

/* What the summary has columns and lines for. */
#define PAGE_ORDERS        11
#define PAGE_MIGRATE_TYPES 5

/* The smallest page, which orders count in: whatever the machine's is, as in Linux's perf. */
#define PAGE_BYTES 4096

/* What is added up for a page, or for a call site, with the same order, type and flags. */
struct kmem_page_row {
	uint64_t page;      /* 0 of a call site */
	uint64_t call_site; /* of a page: the last one */
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
	struct page_sum freed;     /* frees whose allocation was seen */
	struct page_sum free_only; /* those whose was not */
	/* Of allocations, or with `live` of pages that were not freed. */
	uint64_t orders[PAGE_ORDERS][PAGE_MIGRATE_TYPES];
};

struct page_rows {
	struct kmem_page_row *items;
	size_t n, room;
	struct u64_map first_of; /* page or call site to index + 1 of its first row */
};

struct page_model {
	/* What is wanted, to be set beforehand: */
	bool live;       /* call sites count only what was not freed */
	bool wants_rows; /* of pages, too */

	struct page_totals totals;
	struct page_rows callers, pages;
	/* One row for each page that was ever allocated; `hits` is 0 once it is freed. */
	struct page_rows open;
};

void page_model_done(struct page_model *m);

/* Pages were allocated at @call_site (KMEM_PAGE_ALLOC), or freed (KMEM_PAGE_FREE). O(1). */
void page_model_alloc(struct page_model *m, const struct kmem_event *e, uint64_t call_site);
void page_model_free(struct page_model *m, const struct kmem_event *e);

/*
 * Sums that somebody else has counted: @row->hits allocations by @row->call_site, of which @frees
 * were freed; and a page that is there.
 */
void page_model_add(struct page_model *m, const struct kmem_page_row *row, uint64_t frees);
void page_model_add_page(struct page_model *m, const struct kmem_page_row *row);

/* The allocations that were not freed, those that failed among them. */
struct page_sum page_model_alloc_only(const struct page_model *m);

/* Bytes of 2^@order pages; those of the largest possible order for what is beyond it. */
uint64_t page_order_bytes(uint32_t order);

/*
 * Copies of the rows of call sites, in ascending order of call site, order, type and flags; and of
 * pages, in that of page, order, type and flags, or with `live` in descending order of pages. The
 * caller frees them.
 */
struct kmem_page_row *page_model_callers(const struct page_model *m, size_t *ret_n);
struct kmem_page_row *page_model_pages(const struct page_model *m, size_t *ret_n);

/* The flags of all allocations that did not fail, some more than once. The caller frees them. */
uint64_t *page_model_flags(const struct page_model *m, size_t *ret_n);
