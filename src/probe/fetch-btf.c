/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "probe/btf-parameters.h"
#include "probe/fetch-value.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"

/*
 * Returns the function at whose entry the probe stands; NULL: the probe stands elsewhere, or the
 * function is not known.
 */
static const char *entered_function(const struct fetch *f)
{
	const struct probe_point *p = &f->def->point;
	const char *name = f->probe->symbol;

	if (p->offset || p->has_line || p->pattern || p->is_return || p->has_address)
		return NULL;
	if (!name || !strcmp(name, "_text") || !strcmp(name, "_stext"))
		name = p->function;
	/* Clones (foo.isra.0) take other parameters than the source says. */
	return name && !strpbrk(name, "*?[.") ? name : NULL;
}

static int fetch_btf_refuse(const struct fetch *f)
{
	probe_def_mark(f->def, f->arg->where, -ENOENT, f->diag,
		       "'%s' is a variable, and there is no debug information to find it by",
		       f->arg->what);
	diag_hint(f->diag, "without it, parameters of kernel functions can be had where these "
			   "begin, by BTF, and registers everywhere: NAME=%%REG");
	return -ENOENT;
}

static int fetch_btf_refuse_name(const struct fetch *f, const struct btf_parameters *all)
{
	struct similar near = { .typed = f->arg->what };
	const struct debug_variable *v;

	probe_def_mark(f->def, f->arg->where, -ENOENT, f->diag,
		       "the function has no parameter '%s'", f->arg->what);
	for (size_t i = 0; (v = btf_parameter_get(all, i)); i++)
		if (v->name)
			similar_add(&near, v->name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	if (phrase)
		diag_hint(f->diag, "did you mean %s?", phrase);
	diag_hint(f->diag, "other variables, and places inside of functions, need the kernel's "
			   "debug information");
	return -ENOENT;
}

static int fetch_btf_add_one(const struct fetch *f, const struct debug_variable *v)
{
	struct fetch_value value = fetch_value_of(v);
	int r = fetch_value_follow(f, &value);

	return r < 0 ? r : fetch_value_add(f, &value, probe_arg_name(f->arg));
}

static int fetch_btf_add_all(const struct fetch *f, const struct btf_parameters *all)
{
	const struct debug_variable *v;

	for (size_t i = 0; (v = btf_parameter_get(all, i)); i++) {
		struct fetch_value value = fetch_value_of(v);
		struct probe_arg plain = { .where = f->arg->where };
		struct fetch one = *f;
		int r;

		if (!v->name)
			continue;
		one.arg = &plain;
		r = fetch_value_add(&one, &value, xstrdup(v->name));
		if (r < 0)
			return r;
	}
	return 0;
}

int fetch_btf_add(const struct fetch *f)
{
	_cleanup_(btf_parameters_freep) struct btf_parameters *all = NULL;
	const char *function = entered_function(f);
	const struct debug_variable *v;

	if (!function || probe_target_kind(f->target) == PROBE_PROGRAM || f->arch != arch_host() ||
	    btf_parameters_read(function, probe_target_name(f->target), f->arch, &all) < 0)
		return fetch_btf_refuse(f);
	if (!f->arg->is_variable)
		return fetch_btf_add_all(f, all);
	for (size_t i = 0; (v = btf_parameter_get(all, i)); i++)
		if (v->name && !strcmp(v->name, f->arg->what))
			return fetch_btf_add_one(f, v);
	return fetch_btf_refuse_name(f, all);
}
