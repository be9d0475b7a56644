/* SPDX-License-Identifier: MIT */
#include "probe/fetch-arg.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/probe-registers.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "dwarf/debug-places.h"
#include "probe/fetch-value.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"
#include "probe/variable-list.h"

/* A message lists at most this many ranges; nobody would read more. */
#define RANGES_MAX 8

/*
 * Refuses a register name that the kernel does not know, and reports the kernel's name for the
 * register.
 */
static int fetch_arg_check_register(const struct fetch *f)
{
	const char *sign = strchr(f->arg->what, '%');
	char meant[8];

	if (!sign)
		return 0;

	_cleanup_(freep) char *name = xstrndup(sign + 1, strcspn(sign + 1, ")"));

	if (arch_probe_knows(f->arch, name, meant))
		return 0;
	probe_def_mark(f->def, f->arg->where, -EINVAL, f->diag, "there is no register '%%%s'",
		       name);
	if (*meant)
		diag_hint(f->diag, "the kernel calls it %%%s", meant);
	else
		diag_hint(f->diag, "there are %s", f->arch->probes->summary);
	return -EINVAL;
}

/*
 * Returns the register of $arg1 and so on, which the kernel knows in its own functions only; or
 * NULL.
 */
static const char *argument_register(const struct fetch *f)
{
	unsigned reg;
	char *end;

	if (probe_target_kind(f->target) != PROBE_PROGRAM || strncmp(f->arg->what, "$arg", 4) != 0)
		return NULL;

	unsigned long n = strtoul(f->arg->what + 4, &end, 10);

	return !*end && n && arch_argument_register(f->arch, n - 1, &reg)
		       ? arch_probe_register(f->arch, reg)
		       : NULL;
}

/* Passes text that is already in the kernel's notation on unchanged. */
static int add_own(const struct fetch *f)
{
	const char *reg = argument_register(f);
	int r = fetch_arg_check_register(f);

	if (r < 0)
		return r;

	struct trace_arg *a = trace_probe_add_arg(f->probe);

	a->name = probe_arg_name(f->arg);
	a->value = xstrdup(reg ? reg : f->arg->what);
	a->type = f->arg->type ? xstrdup(f->arg->type) : NULL;
	return 0;
}

struct fetch_arg_ranges {
	struct text text;
	uint64_t start;
	size_t n;
};

static void fetch_arg_add_range(void *arg, uint64_t start, uint64_t end)
{
	struct fetch_arg_ranges *r = arg;

	if (r->n++ < RANGES_MAX)
		text_addf(&r->text, "%s+%" PRId64 " to +%" PRId64, r->n > 1 ? ", " : "",
			  (int64_t)(start - r->start), (int64_t)(end - r->start));
}

/* Reports that the variable has no location here, and where it has one. */
static int refuse_nowhere(const struct fetch *f, const struct debug_variable *v)
{
	struct fetch_arg_ranges r = { .text = TEXT_EMPTY, .start = f->place->start };
	const char *function = f->place->name ? f->place->name : "the function";

	probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
		       "'%s' has no place at %s+%" PRIu64 ": it is optimised out there", v->name,
		       function, f->place->addr - f->place->start);
	debug_variable_ranges(f->info, v, fetch_arg_add_range, &r);
	if (r.n)
		diag_hint(f->diag, "it has one at %s%s%s", function, r.text.chars,
			  r.n > RANGES_MAX ? ", ..." : "");
	diag_hint(f->diag, "'perf probe -V --range' shows where each variable is");
	text_done(&r.text);
	return -ENODATA;
}

static int fetch_arg_refuse_unknown(const struct fetch *f, struct similar *near)
{
	_cleanup_(freep) char *phrase = similar_phrase(near);

	probe_def_mark(f->def, f->arg->where, -ENOENT, f->diag, "there is no variable '%s' in '%s'",
		       f->arg->what,
		       f->place->scope_name ? f->place->scope_name
		       : f->place->name     ? f->place->name
					    : "this place");
	if (phrase)
		diag_hint(f->diag, "did you mean %s?", phrase);
	diag_hint(f->diag, "'perf probe -V' lists the variables");
	if (probe_target_kind(f->target) != PROBE_PROGRAM)
		diag_hint(f->diag, "a global variable of another source file: NAME=@%s",
			  f->arg->what);
	return -ENOENT;
}

static int fetch_arg_add_variable(const struct fetch *f)
{
	struct similar near = { .typed = f->arg->what };
	struct debug_variable v;
	int r = debug_variable_find(f->info, f->place, f->arg->what, &v, &near);

	if (r < 0)
		return fetch_arg_refuse_unknown(f, &near);
	if (v.place.where == VARIABLE_NOWHERE && !v.n_pieces && !v.is_declared)
		return refuse_nowhere(f, &v);

	struct fetch_value value = fetch_value_of(&v);

	r = fetch_value_follow(f, &value);
	return r < 0 ? r : fetch_value_add(f, &value, probe_arg_name(f->arg));
}

/* The expansion of a list of variables ($vars, $params). */
struct expansion {
	const struct fetch *fetch;
	bool only_parameters;
	size_t first; /* the first argument of the probe that is of this list */
};

static void remove_arg(struct trace_probe *p, size_t i)
{
	free(p->args[i].name);
	free(p->args[i].value);
	free(p->args[i].type);
	memmove(&p->args[i], &p->args[i + 1], (--p->n_args - i) * sizeof(p->args[0]));
}

/*
 * Returns the index, in [@from, @to), of the probe's argument with the name @name; @to: there is
 * none.
 */
static size_t find_arg(const struct trace_probe *p, size_t from, size_t to, const char *name)
{
	while (from < to && (!p->args[from].name || strcmp(p->args[from].name, name) != 0))
		from++;
	return from;
}

/* Adds a variable to the probe. Variables without a location at this address are left out. */
static int fetch_arg_expand(void *arg, const struct debug_variable *v)
{
	struct expansion *e = arg;
	struct fetch f = *e->fetch;
	struct probe_arg plain = { .what = (char *)v->name, .where = f.arg->where };
	struct fetch_value value = fetch_value_of(v);
	struct diag unsaid = { 0 };

	size_t taken = v->is_inlined ? f.probe->n_args : e->first;

	if (!variable_is_listed(v, f.place) || (e->only_parameters && !v->is_parameter) ||
	    find_arg(f.probe, 0, taken, v->name) < taken)
		return 0;
	f.arg = &plain;
	f.diag = &unsaid;
	if (fetch_value_add(&f, &value, xstrdup(v->name)) >= 0) {
		/* An inner variable hides the variable of the same name around it. */
		size_t last = f.probe->n_args - 1;
		size_t outer = find_arg(f.probe, e->first, last, v->name);

		if (outer < last)
			remove_arg(f.probe, outer);
	}
	diag_done(&unsaid);
	return 0;
}

static int fetch_arg_add_list(const struct fetch *f)
{
	struct expansion e = {
		.fetch = f,
		.only_parameters = !strcmp(f->arg->what, "$params"),
		.first = f->probe->n_args,
	};

	if (!f->info || !f->place)
		return fetch_btf_add(f);
	debug_variables_each(f->info, f->place, false, fetch_arg_expand, &e);
	return 0;
}

static bool fetch_arg_is_list(const char *what)
{
	return !strcmp(what, "$vars") || !strcmp(what, "$params");
}

int fetch_arg_add(const struct probe_def *d, size_t i, struct probe_target *t,
		  struct debug_info *info, const struct debug_place *place, struct trace_probe *p,
		  struct diag *diag)
{
	struct fetch f = {
		.def = d,
		.arg = &d->args[i],
		.target = t,
		.info = info,
		.place = place,
		.probe = p,
		.arch = probe_target_arch(t),
		.diag = diag,
	};

	if (fetch_arg_is_list(f.arg->what))
		return fetch_arg_add_list(&f);
	if (!f.arg->is_variable)
		return add_own(&f);
	return info && place ? fetch_arg_add_variable(&f) : fetch_btf_add(&f);
}
