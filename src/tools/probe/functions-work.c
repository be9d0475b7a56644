/* SPDX-License-Identifier: MIT */
#include "tools/probe/functions-work.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "probe/name-filter.h"
#include "probe/probe-request.h"
#include "probe/probe-target.h"
#include "symbol/demangle.h"

void probe_functions_done(struct probe_functions *f)
{
	name_list_done(&f->made);
	name_filter_free(f->filter);
	probe_target_free(f->target);
	free(f->items);
}

static const char *probe_functions_shown_name(struct probe_functions *l, const char *name)
{
	_cleanup_(freep) char *pretty = l->demangle ? demangle(name) : NULL;

	if (!pretty)
		return name;
	name_list_add(&l->made, pretty);
	return l->made.items[l->made.n - 1];
}

/*
 * True if the function is listed by default. Names with an underscore at the beginning mostly
 * belong to internals, and stubs are not functions.
 */
static bool probe_functions_is_usual(const char *name, size_t length)
{
	return *name != '_' && (length < 4 || memcmp(name + length - 4, "@plt", 4) != 0);
}

static void probe_functions_take(void *arg, const struct probe_symbol *s)
{
	struct probe_functions *l = arg;
	const char *name = probe_functions_shown_name(l, s->name);
	size_t length = strlen(name);
	uint64_t beginning = 0;

	if (l->filter ? !name_filter_has(l->filter, name) : !probe_functions_is_usual(name, length))
		return;
	memcpy(&beginning, name, length < sizeof(beginning) ? length : sizeof(beginning));
	*ARRAY_ADD(l) = (struct probe_function){ be64toh(beginning), name };
}

/* Compares names that have the same beginning. */
static int by_rest(const void *a, const void *b)
{
	const struct probe_function *x = a, *y = b;
	/* A shorter name ends within its first eight bytes. */
	size_t same = x->beginning & 0xff ? sizeof(x->beginning) : 0;

	return strcmp(x->name + same, y->name + same);
}

/* Moves @from to @to in the order of one byte of their beginnings. Equal ones keep their order. */
static void sort_by_byte(const struct probe_function *from, struct probe_function *to, size_t n,
			 unsigned shift)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i].beginning >> shift & 255]++;
	for (size_t i = 0; i < 256; i++) {
		size_t count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i].beginning >> shift & 255]++] = from[i];
}

/*
 * Sorts the functions. A kernel has 100,000 of them, and comparing them costs more than finding
 * them. They are therefore sorted byte by byte of their beginnings, from the last byte to the
 * first, and then those with the same beginning are compared.
 */
static void probe_functions_sort(struct probe_functions *f)
{
	_cleanup_(freep) struct probe_function *other = xcalloc(f->n + 1, sizeof(*other));
	size_t end;

	for (unsigned shift = 0; shift < 64; shift += 16) {
		sort_by_byte(f->items, other, f->n, shift);
		sort_by_byte(other, f->items, f->n, shift + 8);
	}
	for (size_t i = 0; i < f->n; i = end) {
		for (end = i + 1; end < f->n && f->items[end].beginning == f->items[i].beginning;)
			end++;
		if (end - i > 1)
			qsort(&f->items[i], end - i, sizeof(f->items[0]), by_rest);
	}
}

int probe_functions_find(const struct probe_request *rq, const char *filter,
			 struct probe_functions *ret, struct diag *diag)
{
	const char *text = *filter ? filter : rq->filter;
	struct probe_target_options to = probe_request_target(rq, rq->program, rq->module);
	struct probe_functions *f = ret;
	int r;

	*f = (struct probe_functions){
		.demangle = !rq->no_demangle && (rq->program || rq->demangle_kernel),
	};
	r = text ? name_filter_parse(text, &f->filter, diag) : 0;
	if (r >= 0)
		r = probe_target_open(&to, &f->target, diag);
	if (r >= 0)
		r = probe_target_functions(f->target, NULL, probe_functions_take, f, diag);
	if (r < 0)
		return r;
	probe_functions_sort(f);
	return 0;
}
