/* SPDX-License-Identifier: MIT */
/* Resolves probes by the names of symbols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "dwarf/debug-info.h"
#include "probe/explain-function.h"
#include "probe/probe-def.h"
#include "probe/resolve-internal.h"
#include "probe/trace-probe.h"

struct resolve_symbols_found {
	struct probe_symbol *items;
	size_t n, room;
};

/* Takes a symbol. If there are several at one address, the first is taken. */
static void take_symbol(void *arg, const struct probe_symbol *s)
{
	struct resolve_symbols_found *f = arg;

	if (!s->is_function && !s->is_label)
		return;
	for (size_t i = f->n; i-- > 0 && f->items[i].addr == s->addr;)
		if (f->items[i].is_function >= s->is_function)
			return;
	*ARRAY_ADD(f) = *s;
}

/*
 * Keeps only the wanted symbols, if there are any. Labels without a type, which assembly has, are
 * taken only if nothing else is found.
 */
static void resolve_symbols_choose(struct resolve_symbols_found *f,
				   bool (*wanted)(const struct probe_symbol *s))
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (wanted(&f->items[i]))
			f->items[n++] = f->items[i];
	if (n)
		f->n = n;
}

static bool resolve_symbols_is_function(const struct probe_symbol *s)
{
	return s->is_function;
}

static bool is_kernels_own(const struct probe_symbol *s)
{
	return !s->module;
}

static int resolve_symbols_stop(void *arg, const struct debug_function *f)
{
	(void)arg, (void)f;
	return 1;
}

/*
 * True if the function is inlined. A function without a symbol may be one that the compiler inlined
 * everywhere.
 */
static bool is_inlined(struct resolving *r)
{
	_cleanup_(diag_done) struct diag unused = { 0 };
	struct debug_info *info;

	return probe_target_debug(r->target, &info, &unused) >= 0 &&
	       debug_info_functions(info, r->def->point.function, resolve_symbols_stop, NULL) > 0;
}

static int explain_inlined(const struct resolving *r, struct diag *diag)
{
	const char *function = r->def->point.function;

	probe_def_mark(r->def, r->def->point.where, -ENOENT, diag,
		       "'%s' has no code of its own: it is inlined wherever it is called, so it "
		       "does not return",
		       function);
	diag_hint(diag, "Probe where it begins ('%s'), or one of its lines (perf probe -L %s)",
		  function, function);
	return -ENOENT;
}

static int resolve_symbols_explain_missing(struct resolving *r, struct diag *diag)
{
	const struct probe_def *d = r->def;
	const char *name = probe_target_name(r->target);

	if (d->point.is_return && is_inlined(r))
		return explain_inlined(r, diag);
	probe_def_mark(d, d->point.where, -ENOENT, diag, "there is no function '%s' in %s",
		       d->point.function, name ? name : "the kernel");
	explain_function(r->target, d->point.function, diag);
	probe_target_hint_stripped(r->target, diag);
	return -ENOENT;
}

static int resolve_symbols_check_offset(const struct resolving *r, const struct probe_symbol *s,
					struct diag *diag)
{
	uint64_t offset = r->def->point.offset;

	if (!offset || !s->size || offset < s->size)
		return 0;
	return probe_def_mark(r->def, r->def->point.where, -EINVAL, diag,
			      "offset %llu is past the end of %s, which has %llu bytes",
			      (unsigned long long)offset, s->name, (unsigned long long)s->size);
}

static int resolve_symbols_add_symbol(struct resolving *r, const struct probe_symbol *s,
				      struct diag *diag)
{
	_cleanup_(freep) char *name = xstrndup(s->name, strcspn(s->name, "@"));
	struct resolved_point at = {
		.addr = s->addr + r->def->point.offset,
		.function = glob_is_pattern(r->def->point.function) ? name : NULL,
		.symbol = s,
	};
	int e = resolve_symbols_check_offset(r, s, diag);

	if (e >= 0)
		e = resolving_add(r, &at, diag);
	if (e <= 0)
		return e;
	if (s->is_ifunc)
		text_addf(r->notes,
			  "%s only chooses, when the program starts, the function that is then "
			  "called: probe that one to see calls.\n",
			  s->name);
	return resolving_args(r, NULL, NULL, diag);
}

static int resolve_symbols_add_all(struct resolving *r, const struct resolve_symbols_found *f,
				   struct diag *diag)
{
	int e = resolving_check_count(r, f->n, diag);

	for (size_t i = 0; e >= 0 && i < f->n; i++)
		e = resolve_symbols_add_symbol(r, &f->items[i], diag);
	if (e < 0)
		return e;
	return r->out->n > r->first ? 0 : resolving_refused(r, diag);
}

static bool resolve_symbols_same_module(const struct probe_symbol *a, const struct probe_symbol *b)
{
	return a->module_length == b->module_length &&
	       !memcmp(a->module, b->module, a->module_length);
}

static int explain_several(const struct resolving *r, const struct resolve_symbols_found *f,
			   struct diag *diag)
{
	struct text names = TEXT_EMPTY;

	for (size_t i = 0; i < f->n; i++)
		if (!i || !resolve_symbols_same_module(&f->items[i - 1], &f->items[i]))
			text_addf(&names, "%s%.*s", i ? ", " : "", (int)f->items[i].module_length,
				  f->items[i].module);
	probe_def_mark(r->def, r->def->point.where, -EINVAL, diag,
		       "the kernel has no function '%s', but several modules do",
		       r->def->point.function);
	diag_hint(diag, "Choose one with -m: %s", names.chars);
	text_done(&names);
	return -EINVAL;
}

/* Resolves in a module. If only one module has the function, that module is meant. */
static int resolve_in_module(struct resolving *r, const struct resolve_symbols_found *f,
			     struct diag *diag)
{
	for (size_t i = 1; i < f->n; i++)
		if (!resolve_symbols_same_module(&f->items[i - 1], &f->items[i]))
			return explain_several(r, f, diag);

	_cleanup_(freep) char *name = xstrndup(f->items[0].module, f->items[0].module_length);
	_cleanup_(probe_target_freep) struct probe_target *t = NULL;
	int e = probe_target_open_module(r->target, name, &t, diag);

	if (e < 0)
		return e;
	text_addf(r->notes, "%s is in the module %s.\n", r->def->point.function, name);
	return probe_resolve(r->def, t, r->options, r->out, r->notes, diag);
}

int resolve_by_symbols(struct resolving *r, struct diag *diag)
{
	struct resolve_symbols_found f = { 0 };
	int e = probe_target_functions(r->target, r->def->point.function, take_symbol, &f, diag);

	if (e >= 0) {
		resolve_symbols_choose(&f, resolve_symbols_is_function);
		if (probe_target_kind(r->target) == PROBE_KERNEL)
			resolve_symbols_choose(&f, is_kernels_own);
		if (!f.n)
			e = resolve_symbols_explain_missing(r, diag);
		else if (f.items[0].module && probe_target_kind(r->target) == PROBE_KERNEL)
			e = resolve_in_module(r, &f, diag);
		else
			e = resolve_symbols_add_all(r, &f, diag);
	}
	free(f.items);
	return e;
}

int resolve_address(struct resolving *r, struct diag *diag)
{
	struct resolved_point at = { .addr = r->def->point.address, .is_link = true };
	int e = resolving_add(r, &at, diag);

	if (e == 0)
		return resolving_refused(r, diag);
	if (e < 0)
		return probe_def_mark(r->def, r->def->point.where, e, diag,
				      "there is no code at this address");
	return resolving_args(r, NULL, NULL, diag);
}
