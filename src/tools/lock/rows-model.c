/* SPDX-License-Identifier: MIT */
#include "tools/lock/rows-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* hash_64() of the kernel's include/linux/hash.h: GOLDEN_RATIO_64, of which 12 bits are used. */
#define GOLDEN_RATIO UINT64_C(0x61c8864680b583eb)
#define BUCKET_SHIFT 52

void lock_rows_done(struct lock_rows *r)
{
	arena_done(&r->arena);
	u64_map_done(&r->by_key);
	free(r->items);
	free(r->sorted);
	*r = (struct lock_rows){ 0 };
}

struct lock_entry *lock_rows_find(const struct lock_rows *r, uint64_t key)
{
	return u64_map_find(&r->by_key, key);
}

struct lock_entry *lock_rows_add(struct lock_rows *r, uint64_t key)
{
	struct lock_entry *e = arena_alloc(&r->arena, sizeof(*e));

	*e = (struct lock_entry){ .key = key, .row = { .min_ns = UINT64_MAX, .name = "" } };
	u64_map_put(&r->by_key, key, e);
	r->items = array_reserve(r->items, &r->room, r->n + 1, sizeof(*r->items));
	r->items[r->n++] = e;
	return e;
}

void lock_entry_wait(struct lock_entry *e, uint64_t waits, uint64_t total_ns, uint64_t max_ns,
		     uint64_t min_ns)
{
	struct lock_row *row = &e->row;

	e->waits += waits;
	row->total_ns += total_ns;
	row->max_ns = max_ns > row->max_ns ? max_ns : row->max_ns;
	row->min_ns = min_ns < row->min_ns ? min_ns : row->min_ns;
}

/* An entry while it is sorted. */
struct placed {
	const struct lock_entry *entry;
	uint64_t value;  /* the sort key */
	uint32_t bucket; /* the bucket in the hash table of Linux's perf, */
	uint32_t number; /* in which the newest entry comes first */
};

static int lock_rows_compare(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->bucket != y->bucket)
		return x->bucket < y->bucket ? -1 : 1;
	return x->number > y->number ? -1 : x->number < y->number;
}

static uint64_t lock_rows_mean(const struct lock_entry *e)
{
	return e->waits ? e->row.total_ns / e->waits : 0;
}

static uint64_t lock_rows_value_of(const struct lock_entry *e, enum lock_field key)
{
	switch (key) {
	case LOCK_FIELD_ACQUIRED:
		return e->row.acquired;
	case LOCK_FIELD_CONTENDED:
		return e->row.contended;
	case LOCK_FIELD_AVG_WAIT:
		return lock_rows_mean(e);
	case LOCK_FIELD_WAIT_TOTAL:
		return e->row.total_ns;
	case LOCK_FIELD_WAIT_MAX:
		return e->row.max_ns;
	default:
		return e->row.min_ns == UINT64_MAX ? 0 : e->row.min_ns;
	}
}

static struct placed *lock_rows_place(const struct lock_rows *r)
{
	struct placed *all = xcalloc(r->n + 1, sizeof(*all));

	for (size_t i = 0; i < r->n; i++)
		all[i] = (struct placed){
			.entry = r->items[i],
			.bucket = (uint32_t)(r->items[i]->key * GOLDEN_RATIO >> BUCKET_SHIFT),
			.number = (uint32_t)i,
		};
	qsort(all, r->n, sizeof(*all), lock_rows_compare);
	return all;
}

static int lock_rows_compare_names(const void *a, const void *b)
{
	const struct placed *x = *(const struct placed *const *)a;
	const struct placed *y = *(const struct placed *const *)b;
	int order = strcmp(x->entry->row.name, y->entry->row.name);

	return order ? order : x < y ? -1 : x > y;
}

static void lock_rows_merge(struct lock_entry *into, const struct lock_entry *e)
{
	into->row.acquired += e->row.acquired;
	into->row.contended += e->row.contended;
	into->row.is_broken |= e->row.is_broken;
	lock_entry_wait(into, e->waits, e->row.total_ns, e->row.max_ns, e->row.min_ns);
	/* The mean of a class is over all waits that began, as in Linux's perf. */
	into->waits = into->row.contended;
}

/*
 * Merges the entries that have the same name. The first of them in @all remains, with the sums.
 * They are copied to @ret, so that the table does not change. Returns the number of remaining
 * entries.
 */
static size_t lock_rows_combine(struct placed *all, size_t n, struct lock_entry *ret)
{
	_cleanup_(freep) struct placed **by_name = xcalloc(n + 1, sizeof(struct placed *));
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		by_name[i] = &all[i];
	qsort(by_name, n, sizeof(*by_name), lock_rows_compare_names);
	for (size_t i = 0; i < n; i++) {
		const struct lock_entry *e = by_name[i]->entry;

		if (i && !strcmp(ret[left - 1].row.name, e->row.name)) {
			lock_rows_merge(&ret[left - 1], e);
			by_name[i]->entry = NULL;
		} else {
			ret[left] = *e;
			by_name[i]->entry = &ret[left++];
		}
	}
	left = 0;
	for (size_t i = 0; i < n; i++)
		if (all[i].entry)
			all[left++] = all[i];
	return left;
}

struct lock_row *lock_rows_sort(struct lock_rows *r, const struct lock_sort *how, size_t *ret_n)
{
	_cleanup_(freep) struct lock_entry *combined = NULL;
	_cleanup_(freep) struct placed *all = lock_rows_place(r);
	size_t n = r->n;

	if (how->combine) {
		combined = xcalloc(n + 1, sizeof(*combined));
		n = lock_rows_combine(all, n, combined);
	}
	for (size_t i = 0; i < n; i++)
		all[i].value = lock_rows_value_of(all[i].entry, how->key);
	qsort(all, n, sizeof(*all), lock_rows_compare);
	free(r->sorted);
	r->sorted = xcalloc(n + 1, sizeof(*r->sorted));
	for (size_t i = 0; i < n; i++) {
		r->sorted[i] = all[i].entry->row;
		r->sorted[i].avg_ns = lock_rows_mean(all[i].entry);
		if (r->sorted[i].min_ns == UINT64_MAX)
			r->sorted[i].min_ns = 0;
	}
	*ret_n = n;
	return r->sorted;
}
