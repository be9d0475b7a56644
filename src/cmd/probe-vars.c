/* SPDX-License-Identifier: MIT */
/* perf probe --vars: what can be recorded at a place. */
#include <errno.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/probe-job.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "probe/btf-parameters.h"
#include "probe/name-filter.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/resolve.h"
#include "probe/variable-list.h"
#include "view/probe-variables.h"

/* What the kernel's build leaves behind for each symbol that it exports. */
#define FILTER_USUAL "!__k???tab_* & !__crc_*"

/* One question. */
struct asked {
	const struct probe_opts *opts;
	struct probe_def def;
	struct probe_target *target;
	struct name_filter *filter;
	struct text out;
	bool by_btf;
};

static void asked_done(struct asked *a)
{
	probe_def_done(&a->def);
	probe_target_free(a->target);
	name_filter_free(a->filter);
	text_done(&a->out);
}

static int parse(struct asked *a, struct diag *d)
{
	const struct probe_opts *o = a->opts;
	int r = probe_def_parse(o->vars, &a->def, d);

	if (r < 0)
		return r;
	if (a->def.n_args) {
		probe_def_mark(&a->def, a->def.args[0].where, -EINVAL, d,
			       "-V takes a probe point without arguments");
		diag_hint(d, "it shows what the arguments could be");
		return -EINVAL;
	}
	if (a->def.marker) {
		probe_def_mark(&a->def, a->def.point.where, -EINVAL, d,
			       "-V takes a function or a line, and this is a marker");
		diag_hint(d, "arguments of markers are recorded without being named");
		return -EINVAL;
	}
	return name_filter_parse(o->filter ? o->filter : FILTER_USUAL, &a->filter, d);
}

static int find_places(struct asked *a, struct debug_info *info, struct debug_places *ret,
		       struct diag *d)
{
	const struct probe_point *p = &a->def.point;
	struct resolve_options options = {
		.no_inlines = a->opts->no_inlines,
		.source = a->opts->source,
	};

	if (!p->has_address)
		return probe_places(&a->def, a->target, info, &options, ret, d);
	if (debug_place_at(info, p->address, ARRAY_ADD(ret)))
		return 0;
	return probe_def_mark(&a->def, p->where, -ENOENT, d,
			      "the debug information has no function at this address");
}

static struct variable_list_options list_options(const struct asked *a)
{
	return (struct variable_list_options){
		.externs = a->opts->externs,
		.ranges = a->opts->range,
		.filter = a->filter,
	};
}

static void show_place(struct asked *a, struct debug_info *info, const struct debug_place *place)
{
	struct variable_list_options options = list_options(a);
	struct variable_list l = { 0 };

	variable_list_read(info, place, &options, &l);
	probe_variables_text(&a->out, place->name ? place->name : "(unknown)",
			     place->addr - place->start, &l, a->opts->range);
	variable_list_done(&l);
}

static int show_by_debug(struct asked *a, struct debug_info *info, struct diag *d)
{
	_cleanup_(debug_places_done) struct debug_places places = { 0 };
	int r = find_places(a, info, &places, d);

	for (size_t i = 0; r >= 0 && i < places.n; i++)
		show_place(a, info, &places.items[i]);
	return r;
}

/* Without debug information: what a kernel function is called with. */
static int show_by_btf(struct asked *a)
{
	_cleanup_(btf_parameters_freep) struct btf_parameters *all = NULL;
	const struct probe_point *p = &a->def.point;
	const struct arch *arch = probe_target_arch(a->target);
	struct variable_list_options options = list_options(a);
	struct variable_list l = { 0 };

	if (!p->function || p->offset || p->has_line || p->pattern || arch != arch_host() ||
	    probe_target_kind(a->target) == PROBE_PROGRAM ||
	    btf_parameters_read(p->function, probe_target_name(a->target), arch, &all) < 0)
		return -ENODATA;
	variable_list_read_btf(all, &options, &l);
	probe_variables_text(&a->out, p->function, 0, &l, false);
	variable_list_done(&l);
	a->by_btf = true;
	return 0;
}

static int show(struct asked *a, struct diag *d)
{
	const struct probe_opts *o = a->opts;
	struct probe_target_options options = probe_target_options_of(o, o->program, o->module);
	_cleanup_(freep) char *point = probe_point_text(&a->def.point);
	struct debug_info *info;
	int r = probe_target_open(&options, &a->target, d);

	if (r < 0)
		return r;
	probe_variables_head(&a->out, point);
	r = probe_target_debug(a->target, &info, d);
	if (r < 0)
		return show_by_btf(a) < 0 ? r : 0;
	return show_by_debug(a, info, d);
}

/* Which variables are left out, and why. */
static void say_by_btf(const struct invocation *inv)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	diag_set(&d, 0,
		 "this kernel's debug information is not installed: only parameters are "
		 "shown, by BTF");
	command_warn(inv, &d);
}

int probe_show_vars(struct invocation *inv, const struct probe_opts *o)
{
	_cleanup_(asked_done) struct asked a = { .opts = o, .out = TEXT_EMPTY };
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = parse(&a, &d);

	if (r >= 0)
		r = show(&a, &d);
	if (r < 0)
		return command_fail(inv, r, &d);
	if (a.by_btf && !o->verbosity.quiet)
		say_by_btf(inv);
	fputs(a.out.chars, inv->out);
	return EXIT_OK;
}
