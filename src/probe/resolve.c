/* SPDX-License-Identifier: MIT */
#include "probe/resolve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/event-name.h"
#include "probe/fetch-arg.h"
#include "probe/probe-def.h"
#include "probe/resolve-internal.h"
#include "probe/trace-probe.h"

#define MAX_PROBES_USUAL 128

bool resolve_wants_variables(const struct probe_def *d)
{
	for (size_t i = 0; i < d->n_args; i++) {
		const struct probe_arg *a = &d->args[i];

		if (a->is_variable || !strcmp(a->what, "$vars") || !strcmp(a->what, "$params"))
			return true;
	}
	return false;
}

int resolving_check_count(const struct resolving *r, size_t n, struct diag *diag)
{
	size_t max = r->options->max_probes ? r->options->max_probes : MAX_PROBES_USUAL;

	if (n <= max)
		return 0;
	probe_def_mark(r->def, r->def->point.where, -E2BIG, diag,
		       "this would be %zu probes, and %zu are the most that are made at once", n,
		       max);
	diag_hint(diag, "Name fewer places, or allow them: --max-probes %zu", n);
	return -E2BIG;
}

/*
 * Returns the place in readable form: the definition's point, with the function that a pattern
 * found.
 */
static char *where_text(const struct probe_def *d, const char *function)
{
	struct probe_point p = d->point;
	_cleanup_(freep) char *name = NULL;

	if (function && p.function && glob_is_pattern(p.function))
		p.function = name = xstrdup(function);
	return probe_point_text(&p);
}

static const char *probe_resolve_group_of(const struct resolving *r, char **made)
{
	if (r->def->group)
		return r->def->group;
	if (probe_target_kind(r->target) != PROBE_PROGRAM)
		return "probe";
	*made = event_group_of(probe_target_name(r->target));
	return *made;
}

static void set_place(struct trace_probe *p, struct probe_target *t,
		      const struct target_point *point)
{
	const char *name = probe_target_name(t);

	p->is_user = probe_target_kind(t) == PROBE_PROGRAM;
	if (p->is_user)
		p->path = xstrdup(name);
	else if (name)
		p->module = xstrdup(name);
	if (point->symbol)
		p->symbol = xstrdup(point->symbol);
	p->offset = point->offset;
}

/*
 * True if the function's name alone gives the place. A return probe cannot stand at an address; in
 * a running kernel, symbol and offset are used instead.
 */
static bool goes_by_name(const struct resolving *r)
{
	return r->def->point.is_return && probe_target_is_offline(r->target);
}

int resolving_add(struct resolving *r, const struct resolved_point *at, struct diag *diag)
{
	const char *function = at->function ? at->function : r->def->point.function;
	_cleanup_(freep) char *group = NULL;
	struct target_point point;
	int e = probe_target_point(r->target, at->addr, at->is_link, &point, diag);

	if (e < 0)
		return e;
	/* If the function has several names, the one that was found is taken. */
	if (at->symbol && point.symbol && (point.is_function || goes_by_name(r)))
		point = (struct target_point){ .symbol = at->symbol->name,
					       .offset = at->addr - at->symbol->addr };
	if (point.refused) {
		text_addf(r->notes, "%s is %s, skip it.\n", function, point.refused);
		return 0;
	}

	struct trace_probe *p = trace_probes_add(r->out);

	p->group = xstrdup(probe_resolve_group_of(r, &group));
	p->event = event_base_name(r->def, function);
	p->is_return = r->def->point.is_return;
	p->where = where_text(r->def, function);
	set_place(p, r->target, &point);
	return 1;
}

int resolving_refused(const struct resolving *r, struct diag *diag)
{
	const char *function = r->def->point.function ? r->def->point.function : "this address";

	if (strstr(r->notes->chars, TARGET_BLACKLISTED)) {
		/*
		 * This is one line that begins like that of Linux's perf, because users' tests look
		 * for it.
		 */
		diag_set(diag, -EINVAL,
			 "%s is blacklisted function, skip it. The kernel needs it to handle "
			 "probes, "
			 "or cannot handle them where it runs: /sys/kernel/debug/kprobes/blacklist",
			 function);
	} else {
		probe_def_mark(r->def, r->def->point.where, -EINVAL, diag,
			       "%s is not in .text: such code is thrown away once it has run",
			       function);
	}
	return -EINVAL;
}

/*
 * True if the definition needs debug information; otherwise symbols are enough. Parameters of
 * kernel functions may be known from BTF.
 */
static bool needs_debug(const struct resolving *r)
{
	const struct probe_point *p = &r->def->point;

	return p->has_line || p->pattern || p->file ||
	       (resolve_wants_variables(r->def) && probe_target_kind(r->target) == PROBE_PROGRAM);
}

static int explain_needed(const struct resolving *r, int error, struct diag *diag)
{
	const struct probe_point *p = &r->def->point;
	const char *what = p->has_line  ? "lines"
			   : p->pattern ? "the text of lines"
			   : p->file    ? "source files"
					: "variables";

	diag_hint(diag,
		  "It is needed for %s; functions, offsets (FUNC+8), returns and registers "
		  "work without",
		  what);
	return error;
}

/*
 * True if @d is a return probe that needs only symbols: it stands at the beginning of a function,
 * which a symbol gives.
 */
static bool is_plain_return(const struct probe_def *d)
{
	return d->point.is_return && !d->point.file && !resolve_wants_variables(d);
}

static int probe_resolve_do(struct resolving *r, struct diag *diag)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	struct debug_info *info;
	int e;

	if (r->def->point.has_address)
		return resolve_address(r, diag);
	if (is_plain_return(r->def))
		return resolve_by_symbols(r, diag);
	if (needs_debug(r)) {
		e = probe_target_debug(r->target, &info, diag);
		if (e < 0)
			return explain_needed(r, e, diag);
		return resolve_by_debug(r, info, diag);
	}
	if (probe_target_debug(r->target, &info, &why) < 0)
		return resolve_by_symbols(r, diag);
	return resolve_by_debug(r, info, diag);
}

/*
 * Checks that the vmlinux is that of the running kernel. With the vmlinux of another kernel, probes
 * would land in the middle of other code.
 */
static int probe_resolve_check_build(const struct probe_target *t, struct diag *diag)
{
	if (probe_target_kind(t) != PROBE_KERNEL || probe_target_is_offline(t) ||
	    probe_target_is_running(t))
		return 0;
	diag_set(diag, -ESTALE,
		 "this vmlinux does not belong to the running kernel: the build-ids differ");
	diag_hint(diag, "-D instead of --add shows what would be written for that kernel");
	return -ESTALE;
}

static void drop_from(struct trace_probes *l, size_t first)
{
	while (l->n > first)
		trace_probe_done(&l->items[--l->n]);
}

int probe_resolve(const struct probe_def *d, struct probe_target *t,
		  const struct resolve_options *o, struct trace_probes *out, struct text *notes,
		  struct diag *diag)
{
	_cleanup_(resolving_done) struct resolving r = {
		.def = d,
		.target = t,
		.options = o,
		.out = out,
		.notes = notes,
		.first = out->n,
	};
	int e = probe_resolve_check_build(t, diag);

	if (e >= 0 && resolve_qualified(&r, &e, diag))
		return e;
	if (e >= 0)
		e = probe_resolve_do(&r, diag);
	if (e >= 0)
		e = resolving_fill_gaps(&r, diag);
	if (e < 0)
		drop_from(out, r.first);
	return e;
}
