/* SPDX-License-Identifier: MIT */
#include "job/probe-functions.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "job/probe-request.h"
#include "probe/name-filter.h"
#include "probe/probe-target.h"
#include "symbol/demangle.h"

void probe_functions_done(struct probe_functions *f)
{
	name_list_done(&f->made);
	name_filter_free(f->filter);
	probe_target_free(f->target);
	free(f->items);
}

static const char *shown_name(struct probe_functions *l, const char *name)
{
	_cleanup_(freep) char *pretty = l->demangle ? demangle(name) : NULL;

	if (!pretty)
		return name;
	name_list_add(&l->made, pretty);
	return l->made.items[l->made.n - 1];
}

/* What begins with an underscore is mostly the inside of something else; stubs are no functions. */
static bool is_usual(const char *name, size_t length)
{
	return *name != '_' && (length < 4 || memcmp(name + length - 4, "@plt", 4) != 0);
}

static void take(void *arg, const struct probe_symbol *s)
{
	struct probe_functions *l = arg;
	const char *name = shown_name(l, s->name);
	size_t length = strlen(name);
	uint64_t beginning = 0;

	if (l->filter ? !name_filter_has(l->filter, name) : !is_usual(name, length))
		return;
	memcpy(&beginning, name, length < sizeof(beginning) ? length : sizeof(beginning));
	*ARRAY_ADD(l) = (struct probe_function){ be64toh(beginning), name };
}

static int by_bytes(const void *a, const void *b)
{
	const struct probe_function *x = a, *y = b;

	if (x->beginning != y->beginning)
		return x->beginning < y->beginning ? -1 : 1;
	return strcmp(x->name, y->name);
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
		r = probe_target_functions(f->target, NULL, take, f, diag);
	if (r < 0)
		return r;
	if (f->n)
		qsort(f->items, f->n, sizeof(f->items[0]), by_bytes);
	return 0;
}
