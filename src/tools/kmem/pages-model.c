/* SPDX-License-Identifier: MIT */
#include "tools/kmem/pages-model.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/kmem/event-model.h"

/* The largest order: 64 bits can count 2^51 pages of 4 KB. */
#define ORDER_MAX 51

static void rows_done(struct page_rows *r)
{
	free(r->items);
	u64_map_done(&r->first_of);
}

void page_model_done(struct page_model *m)
{
	rows_done(&m->callers);
	rows_done(&m->pages);
	rows_done(&m->open);
}

uint64_t page_order_bytes(uint32_t order)
{
	return (uint64_t)PAGE_BYTES << (order < ORDER_MAX ? order : ORDER_MAX);
}

static bool is_alike(const struct kmem_page_row *a, const struct kmem_page_row *b)
{
	return a->order == b->order && a->migratetype == b->migratetype &&
	       a->gfp_flags == b->gfp_flags;
}

/* Returns the row of @key with the order, type and flags of @like. Makes it if there is none. */
static struct kmem_page_row *kmem_pages_row_of(struct page_rows *rows, uint64_t key,
					       const struct kmem_page_row *like)
{
	uintptr_t first = (uintptr_t)u64_map_find(&rows->first_of, key);
	struct kmem_page_row *row;

	for (uintptr_t i = first; i; i = rows->items[i - 1].next)
		if (is_alike(&rows->items[i - 1], like))
			return &rows->items[i - 1];
	row = ARRAY_ADD(rows);
	*row = *like;
	row->next = (uint32_t)first;
	u64_map_put(&rows->first_of, key, (void *)(uintptr_t)rows->n);
	return row;
}

/* Returns the only row of @page, open or freed; NULL: the page was never seen. */
static struct kmem_page_row *open_find(struct page_rows *rows, uint64_t page)
{
	uintptr_t i = (uintptr_t)u64_map_find(&rows->first_of, page);

	return i ? &rows->items[i - 1] : NULL;
}

static void sum_add(struct page_sum *s, uint64_t bytes)
{
	s->requests++;
	s->bytes += bytes;
}

static void row_add(struct kmem_page_row *row, uint64_t bytes)
{
	row->hits++;
	row->bytes += bytes;
}

static uint64_t *order_count(struct page_model *m, const struct kmem_page_row *row)
{
	if (row->order >= PAGE_ORDERS || row->migratetype < 0 ||
	    row->migratetype >= PAGE_MIGRATE_TYPES)
		return NULL;
	return &m->totals.orders[row->order][row->migratetype];
}

/*
 * Marks a page as allocated. If it is open already, its free was lost: its row is kept, except that
 * the call site changes.
 */
static void kmem_pages_open_page(struct page_model *m, const struct kmem_page_row *allocated,
				 uint64_t bytes)
{
	struct kmem_page_row *open = open_find(&m->open, allocated->page);

	if (!open) {
		open = kmem_pages_row_of(&m->open, allocated->page, allocated);
	} else if (!open->hits) {
		open->order = allocated->order;
		open->migratetype = allocated->migratetype;
		open->gfp_flags = allocated->gfp_flags;
	}
	open->call_site = allocated->call_site;
	row_add(open, bytes);
}

void page_model_alloc(struct page_model *m, const struct kmem_event *e, uint64_t call_site)
{
	const struct kmem_page_row row = { .page = e->page,
					   .call_site = call_site,
					   .order = e->order,
					   .migratetype = e->migratetype,
					   .gfp_flags = e->gfp_flags };
	uint64_t bytes = page_order_bytes(e->order), *count = order_count(m, &row);
	struct kmem_page_row *page, of_site = row;

	sum_add(&m->totals.allocations, bytes);
	if (e->failed) {
		sum_add(&m->totals.failures, bytes);
		return;
	}
	kmem_pages_open_page(m, &row, bytes);
	if (m->wants_rows && !m->live) {
		page = kmem_pages_row_of(&m->pages, row.page, &row);
		page->call_site = call_site;
		row_add(page, bytes);
	}
	of_site.page = 0;
	row_add(kmem_pages_row_of(&m->callers, call_site, &of_site), bytes);
	if (count)
		++*count;
}

/* Subtracts the allocation @open from the sums of its call site. */
static void take_back(struct page_model *m, const struct kmem_page_row *open, uint64_t bytes)
{
	struct kmem_page_row *caller = kmem_pages_row_of(&m->callers, open->call_site, open);
	uint64_t *count = order_count(m, open);

	caller->hits -= caller->hits > 0;
	caller->bytes -= caller->bytes < bytes ? caller->bytes : bytes;
	if (count && *count)
		--*count;
}

void page_model_free(struct page_model *m, const struct kmem_event *e)
{
	struct kmem_page_row *open = open_find(&m->open, e->page);
	uint64_t bytes = page_order_bytes(e->order);

	sum_add(&m->totals.frees, bytes);
	if (!open || !open->hits) {
		sum_add(&m->totals.free_only, bytes);
		return;
	}
	sum_add(&m->totals.freed, bytes);
	if (m->live)
		take_back(m, open, bytes);
	open->hits = 0;
	open->bytes = 0;
}

static void sum_add_many(struct page_sum *s, uint64_t requests, uint64_t bytes)
{
	s->requests += requests;
	s->bytes += requests * bytes;
}

void page_model_add(struct page_model *m, const struct kmem_page_row *row, uint64_t frees)
{
	uint64_t bytes = page_order_bytes(row->order), *count = order_count(m, row);
	uint64_t hits = row->hits, left = hits > frees ? hits - frees : 0;
	struct kmem_page_row *caller, empty = *row;

	if (m->live)
		hits = left;
	empty.hits = 0;
	empty.bytes = 0;
	caller = kmem_pages_row_of(&m->callers, row->call_site, &empty);
	caller->hits += hits;
	caller->bytes += hits * bytes;
	if (count)
		*count += hits;
	sum_add_many(&m->totals.allocations, row->hits, bytes);
	sum_add_many(&m->totals.frees, frees, bytes);
	sum_add_many(&m->totals.freed, frees, bytes);
}

void page_model_add_page(struct page_model *m, const struct kmem_page_row *row)
{
	struct page_rows *rows = m->live ? &m->open : &m->pages;

	row_add(kmem_pages_row_of(rows, row->page, row), page_order_bytes(row->order));
}

struct page_sum page_model_alloc_only(const struct page_model *m)
{
	const struct page_totals *t = &m->totals;

	return (struct page_sum){ t->allocations.requests - t->freed.requests,
				  t->allocations.bytes - t->freed.bytes };
}

static int kmem_pages_compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_kind(const struct kmem_page_row *x, const struct kmem_page_row *y)
{
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->migratetype != y->migratetype)
		return x->migratetype < y->migratetype ? -1 : 1;
	return kmem_pages_compare_u64(x->gfp_flags, y->gfp_flags);
}

static int kmem_pages_by_call_site(const void *a, const void *b)
{
	const struct kmem_page_row *x = a, *y = b;
	int order = kmem_pages_compare_u64(x->call_site, y->call_site);

	return order ? order : compare_kind(x, y);
}

static int by_page(const void *a, const void *b)
{
	const struct kmem_page_row *x = a, *y = b;
	int order = kmem_pages_compare_u64(x->page, y->page);

	return order ? order : compare_kind(x, y);
}

static int by_page_down(const void *a, const void *b)
{
	return by_page(b, a);
}

static struct kmem_page_row *kmem_pages_copy(const struct page_rows *rows,
					     int (*compare)(const void *a, const void *b),
					     size_t *ret_n)
{
	struct kmem_page_row *copies = xcalloc(rows->n + 1, sizeof(*copies));
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (rows->items[i].hits)
			copies[n++] = rows->items[i];
	qsort(copies, n, sizeof(*copies), compare);
	*ret_n = n;
	return copies;
}

struct kmem_page_row *page_model_callers(const struct page_model *m, size_t *ret_n)
{
	return kmem_pages_copy(&m->callers, kmem_pages_by_call_site, ret_n);
}

struct kmem_page_row *page_model_pages(const struct page_model *m, size_t *ret_n)
{
	return m->live ? kmem_pages_copy(&m->open, by_page_down, ret_n)
		       : kmem_pages_copy(&m->pages, by_page, ret_n);
}

uint64_t *page_model_flags(const struct page_model *m, size_t *ret_n)
{
	uint64_t *flags = xcalloc(m->callers.n + 1, sizeof(flags[0]));

	for (size_t i = 0; i < m->callers.n; i++)
		flags[i] = m->callers.items[i].gfp_flags;
	*ret_n = m->callers.n;
	return flags;
}
