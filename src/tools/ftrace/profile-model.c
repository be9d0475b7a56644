/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/profile-model.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/u64-map.h"

/*
 * The size of the table of functions that were called last. Most calls are of a function that is in
 * it.
 */
#define RECENT 256

struct function {
	uint64_t addr;
	uint64_t total_ns, max_ns, calls;
};

struct function_profile {
	struct arena arena; /* holds the functions */
	struct u64_map by_addr;
	struct function *recent[RECENT];
};

struct function_profile *function_profile_new(void)
{
	return xcalloc(1, sizeof(struct function_profile));
}

void function_profile_free(struct function_profile *p)
{
	if (!p)
		return;
	u64_map_done(&p->by_addr);
	arena_done(&p->arena);
	free(p);
}

static struct function *function_profile_find_function(struct function_profile *p, uint64_t addr)
{
	struct function **recent = &p->recent[addr / 4 % RECENT], *f = *recent;

	if (f && f->addr == addr)
		return f;
	f = u64_map_find(&p->by_addr, addr);
	if (!f) {
		f = arena_alloc(&p->arena, sizeof(*f));
		*f = (struct function){ .addr = addr };
		u64_map_put(&p->by_addr, addr, f);
	}
	*recent = f;
	return f;
}

void function_profile_add(struct function_profile *p, uint64_t func, uint64_t duration_ns)
{
	struct function *f = function_profile_find_function(p, func);

	f->calls++;
	f->total_ns += duration_ns;
	if (duration_ns > f->max_ns)
		f->max_ns = duration_ns;
}

struct ftrace_profile_naming {
	const char *(*name)(void *arg, uint64_t func);
	void *arg;
	struct function_rows *rows;
};

static void name_function(void *arg, uint64_t addr, void *value)
{
	const struct ftrace_profile_naming *n = arg;
	const struct function *f = value;

	*ARRAY_ADD(n->rows) = (struct function_row){ .name = n->name(n->arg, addr),
						     .total_ns = f->total_ns,
						     .max_ns = f->max_ns,
						     .calls = f->calls };
}

static int function_profile_by_name(const void *a, const void *b)
{
	const struct function_row *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void merge_names(struct function_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct function_row *r = &rows->items[i];
		struct function_row *last = n ? &rows->items[n - 1] : NULL;

		if (!last || strcmp(last->name, r->name) != 0) {
			rows->items[n++] = *r;
			continue;
		}
		last->calls += r->calls;
		last->total_ns += r->total_ns;
		if (r->max_ns > last->max_ns)
			last->max_ns = r->max_ns;
	}
	rows->n = n;
}

/* Orders the rows by descending value. */
static int function_profile_compare(uint64_t x, uint64_t y, const void *a, const void *b)
{
	return x == y ? function_profile_by_name(a, b) : x < y ? 1 : -1;
}

static int by_total(const void *a, const void *b)
{
	return function_profile_compare(((const struct function_row *)a)->total_ns,
					((const struct function_row *)b)->total_ns, a, b);
}

static int by_max(const void *a, const void *b)
{
	return function_profile_compare(((const struct function_row *)a)->max_ns,
					((const struct function_row *)b)->max_ns, a, b);
}

static int by_calls(const void *a, const void *b)
{
	return function_profile_compare(((const struct function_row *)a)->calls,
					((const struct function_row *)b)->calls, a, b);
}

static int by_average(const void *a, const void *b)
{
	const struct function_row *x = a, *y = b;
	double first = (double)x->total_ns / (double)x->calls;
	double second = (double)y->total_ns / (double)y->calls;

	return first == second ? function_profile_by_name(a, b) : first < second ? 1 : -1;
}

void function_profile_rows(const struct function_profile *p,
			   const char *(*name)(void *arg, uint64_t func), void *arg,
			   enum function_order order, struct function_rows *ret)
{
	static int (*const orders[])(const void *a, const void *b) = {
		[FUNCTION_ORDER_TOTAL] = by_total,
		[FUNCTION_ORDER_MAX] = by_max,
		[FUNCTION_ORDER_AVERAGE] = by_average,
		[FUNCTION_ORDER_CALLS] = by_calls,
		[FUNCTION_ORDER_NAME] = function_profile_by_name,
	};
	struct function_rows rows = { 0 };
	struct ftrace_profile_naming n = { name, arg, &rows };

	u64_map_for_each(&p->by_addr, name_function, &n);
	if (rows.n) {
		qsort(rows.items, rows.n, sizeof(rows.items[0]), function_profile_by_name);
		merge_names(&rows);
		qsort(rows.items, rows.n, sizeof(rows.items[0]), orders[order]);
	}
	*ret = rows;
}
