/* SPDX-License-Identifier: MIT */
#include "tools/c2c/functions-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/c2c/lines-model.h"

static int c2c_functions_compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Adds the entries of a line as functions: rows of the same name become one. */
static void c2c_functions_add_entries(const struct c2c_lines *l, const struct c2c_line *line,
				      struct c2c_functions *f)
{
	for (const struct c2c_entry *e = line->entries; e; e = e->next)
		*ARRAY_ADD(f) = (struct c2c_function){
			.name = e->names.function,
			.object = e->names.object,
			.rank = c2c_rank(&e->stats, l->o.display),
			.loads = e->stats.n[C2C_LOADS],
			.stores = e->stats.n[C2C_STORES],
			.first_offset = e->offset,
			.last_offset = e->offset,
			.n_lines = 1,
			.top = line,
			.top_rank = c2c_rank(&e->stats, l->o.display),
		};
}

static int c2c_functions_compare_names(const void *a, const void *b)
{
	const struct c2c_function *x = a, *y = b;
	int order = c2c_functions_compare_texts(x->name, y->name);

	if (!order)
		order = c2c_functions_compare_texts(x->object, y->object);
	return order ? order : x->top < y->top ? -1 : x->top > y->top;
}

static void c2c_functions_merge(struct c2c_function *to, const struct c2c_function *from)
{
	to->rank += from->rank;
	to->loads += from->loads;
	to->stores += from->stores;
	to->n_lines += from->n_lines;
	if (from->first_offset < to->first_offset)
		to->first_offset = from->first_offset;
	if (from->last_offset > to->last_offset)
		to->last_offset = from->last_offset;
	if (from->top_rank > to->top_rank) {
		to->top = from->top;
		to->top_rank = from->top_rank;
	}
}

/* Merges functions. @of_line: only those of one line are merged. */
static void merge_all(struct c2c_functions *f, bool of_line)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct c2c_function *last = n ? &f->items[n - 1] : NULL;

		if (last && !c2c_functions_compare_texts(last->name, f->items[i].name) &&
		    !c2c_functions_compare_texts(last->object, f->items[i].object) &&
		    (!of_line || last->top == f->items[i].top)) {
			c2c_functions_merge(last, &f->items[i]);
			if (of_line) {
				last->n_lines = 1;
				last->top_rank = last->rank;
			}
		} else {
			f->items[n++] = f->items[i];
		}
	}
	f->n = n;
}

static int c2c_functions_compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_readers(const void *a, const void *b)
{
	const struct c2c_function *x = a, *y = b;
	int order = c2c_functions_compare_u64(y->rank, x->rank);

	if (!order)
		order = c2c_functions_compare_u64(y->loads, x->loads);
	return order ? order : c2c_functions_compare_names(a, b);
}

static int compare_writers(const void *a, const void *b)
{
	const struct c2c_function *x = a, *y = b;
	int order = c2c_functions_compare_u64(y->stores, x->stores);

	return order ? order : c2c_functions_compare_names(a, b);
}

static int compare_functions(const void *a, const void *b)
{
	const struct c2c_function *x = a, *y = b;
	int order = c2c_functions_compare_u64(y->rank, x->rank);

	return order ? order : compare_writers(a, b);
}

static void c2c_functions_sort(struct c2c_functions *f,
			       int (*compare)(const void *a, const void *b))
{
	if (f->n)
		qsort(f->items, f->n, sizeof(*f->items), compare);
}

static void c2c_functions_side_of(const struct c2c_lines *l, const struct c2c_line *line,
				  bool writes, struct c2c_functions *f)
{
	size_t n = 0;

	c2c_functions_add_entries(l, line, f);
	for (size_t i = 0; i < f->n; i++)
		if (writes ? f->items[i].stores : f->items[i].loads)
			f->items[n++] = f->items[i];
	f->n = n;
	c2c_functions_sort(f, c2c_functions_compare_names);
	merge_all(f, true);
	c2c_functions_sort(f, writes ? compare_writers : compare_readers);
}

void c2c_readers(const struct c2c_lines *l, const struct c2c_line *line, struct c2c_functions *ret)
{
	c2c_functions_side_of(l, line, false, ret);
}

void c2c_writers(const struct c2c_lines *l, const struct c2c_line *line, struct c2c_functions *ret)
{
	c2c_functions_side_of(l, line, true, ret);
}

void c2c_functions_of_all(const struct c2c_lines *l, struct c2c_functions *ret)
{
	for (size_t i = 0; i < l->n; i++)
		c2c_functions_add_entries(l, l->items[i], ret);
	c2c_functions_sort(ret, c2c_functions_compare_names);
	merge_all(ret, true);
	c2c_functions_sort(ret, c2c_functions_compare_names);
	merge_all(ret, false);
	c2c_functions_sort(ret, compare_functions);
}

void c2c_functions_done(struct c2c_functions *f)
{
	free(f->items);
}
