/* SPDX-License-Identifier: MIT */
/*
 * Resolves functions by their C++ or Rust names (ns::Box::get), as `perf probe -F` shows them. The
 * linker and the debug information know them by mangled names (_ZNK2ns3Box3getEi). Every function
 * whose demangled name matches is resolved.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/event-name.h"
#include "probe/probe-def.h"
#include "probe/resolve-internal.h"
#include "probe/trace-probe.h"
#include "symbol/demangle.h"

/* A function whose demangled name matches. */
struct resolve_qualified_match {
	char *linker, *readable;
	uint64_t addr;
};

struct resolve_qualified_matches {
	const char *typed;
	struct resolve_qualified_match *items;
	size_t n, room;
};

static void matches_done(struct resolve_qualified_matches *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->items[i].linker);
		free(m->items[i].readable);
	}
	free(m->items);
}

/*
 * True if a symbol at @addr is known already. Several symbols at one address are one function:
 * constructors have two.
 */
static bool resolve_qualified_is_known(const struct resolve_qualified_matches *m, uint64_t addr)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].addr == addr)
			return true;
	return false;
}

static void take_match(void *arg, const struct probe_symbol *s)
{
	struct resolve_qualified_matches *m = arg;

	if (!s->is_function || s->name[0] != '_' || resolve_qualified_is_known(m, s->addr))
		return;

	/* Imported symbols end with a version. */
	_cleanup_(freep) char *linker = xstrndup(s->name, strcspn(s->name, "@"));
	_cleanup_(freep) char *readable = strchr(m->typed, '(') ? demangle_with_parameters(linker)
								: demangle(linker);

	if (!readable || (strcmp(readable, m->typed) != 0 && !glob_matches(m->typed, readable)))
		return;
	*ARRAY_ADD(m) = (struct resolve_qualified_match){
		.linker = TAKE(linker),
		.readable = TAKE(readable),
		.addr = s->addr,
	};
}

static void name_places(struct trace_probes *l, size_t first, const struct probe_def *d,
			const struct resolve_qualified_match *m)
{
	struct probe_point point = d->point;

	point.function = m->readable;
	for (size_t i = first; i < l->n; i++) {
		free(l->items[i].where);
		l->items[i].where = probe_point_text(&point);
	}
}

/* Resolves as if the mangled name had been typed, but names the event after the readable name. */
static int resolve_match(const struct resolving *r, const struct resolve_qualified_match *m,
			 struct diag *diag)
{
	struct probe_def d = *r->def;
	_cleanup_(freep) char *event = NULL;
	size_t first = r->out->n;

	d.point.is_return = false;
	event = event_base_name(&d, m->readable);
	d.point.is_return = r->def->point.is_return;
	d.point.function = m->linker;
	d.event = event;

	size_t said = r->notes->length;
	int e = probe_resolve(&d, r->target, r->options, r->out, r->notes, diag);

	if (e >= 0)
		name_places(r->out, first, r->def, m);
	else if (r->notes->length > said)
		text_filled(r->notes, r->notes->chars + said);
	return e;
}

static int resolve_all(struct resolving *r, const struct resolve_qualified_matches *m,
		       struct diag *diag)
{
	int e = resolving_check_count(r, m->n, diag);

	if (e < 0)
		return e;
	for (size_t i = 0; i < m->n; i++) {
		e = resolve_match(r, &m->items[i], diag);
		/* An overloaded function need not have the variable, and another one may. */
		if (e < 0 && e != -ENOENT && e != -ENODATA)
			break;
		if (e < 0 && m->n > 1)
			text_addf(r->notes, "%s: %s, skip it.\n", m->items[i].readable,
				  diag->message);
	}
	if (e >= 0 || (r->out->n > r->first && (e == -ENOENT || e == -ENODATA))) {
		diag_done(diag);
		return 0;
	}
	while (r->out->n > r->first)
		trace_probe_done(&r->out->items[--r->out->n]);
	return e;
}

bool resolve_qualified(struct resolving *r, int *ret, struct diag *diag)
{
	const char *function = r->def->point.function;
	_cleanup_(matches_done) struct resolve_qualified_matches m = { .typed = function };
	_cleanup_(diag_done) struct diag unused = { 0 };

	if (!function || !(strstr(function, "::") || strchr(function, '(')) ||
	    probe_target_kind(r->target) != PROBE_PROGRAM)
		return false;
	if (probe_target_functions(r->target, NULL, take_match, &m, &unused) < 0 || !m.n)
		return false;
	*ret = resolve_all(r, &m, diag);
	return true;
}
