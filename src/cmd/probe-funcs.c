/* SPDX-License-Identifier: MIT */
/* perf probe --funcs: what can be probed by name. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/probe-job.h"
#include "base/name-list.h"
#include "probe/name-filter.h"
#include "probe/probe-target.h"
#include "symbol/demangle.h"

/* A name with its first eight bytes as a number, by which most comparisons are decided. */
struct listed_name {
	uint64_t beginning;
	const char *name; /* of the target, or in @made of the list */
};

struct listed {
	struct listed_name *items;
	size_t n, room;
	const struct name_filter *filter; /* NULL: the usual one */
	bool demangle;
	struct name_list made;
};

static void listed_done(struct listed *l)
{
	name_list_done(&l->made);
	free(l->items);
}

static const char *shown_name(struct listed *l, const char *name)
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
	struct listed *l = arg;
	const char *name = shown_name(l, s->name);
	size_t length = strlen(name);
	uint64_t beginning = 0;

	if (l->filter ? !name_filter_has(l->filter, name) : !is_usual(name, length))
		return;
	memcpy(&beginning, name, length < sizeof(beginning) ? length : sizeof(beginning));
	*ARRAY_ADD(l) = (struct listed_name){ be64toh(beginning), name };
}

static int by_bytes(const void *a, const void *b)
{
	const struct listed_name *x = a, *y = b;

	if (x->beginning != y->beginning)
		return x->beginning < y->beginning ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void print(struct invocation *inv, struct listed *l)
{
	struct text out = TEXT_EMPTY;

	if (l->n)
		qsort(l->items, l->n, sizeof(l->items[0]), by_bytes);
	for (size_t i = 0; i < l->n; i++) {
		escape_terminal(&out, l->items[i].name, strlen(l->items[i].name));
		text_add_char(&out, '\n');
	}
	fputs(out.chars, inv->out);
	text_done(&out);
}

static int collect(const struct probe_opts *o, struct probe_target **ret_target,
		   struct name_filter **ret_filter, struct listed *l, struct diag *d)
{
	const char *filter = *o->funcs ? o->funcs : o->filter;
	struct probe_target_options to = probe_target_options_of(o, o->program, o->module);
	int r = filter ? name_filter_parse(filter, ret_filter, d) : 0;

	if (r < 0)
		return r;
	l->filter = *ret_filter;
	l->demangle = !o->no_demangle && (o->program || o->demangle_kernel);
	r = probe_target_open(&to, ret_target, d);
	return r < 0 ? r : probe_target_functions(*ret_target, NULL, take, l, d);
}

int probe_show_funcs(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(probe_target_freep) struct probe_target *t = NULL;
	_cleanup_(name_filter_freep) struct name_filter *filter = NULL;
	_cleanup_(listed_done) struct listed l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = collect(o, &t, &filter, &l, &d);

	if (r < 0)
		return command_fail(inv, r, &d);
	print(inv, &l);
	return EXIT_OK;
}
