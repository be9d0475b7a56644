/* SPDX-License-Identifier: MIT */
#include "tools/probe/variables-work.h"

#include <errno.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "probe/btf-parameters.h"
#include "probe/explain-function.h"
#include "probe/name-filter.h"
#include "probe/probe-def.h"
#include "probe/probe-request.h"
#include "probe/probe-target.h"
#include "probe/resolve.h"

/* The filter for symbols that the kernel's build makes for each exported symbol. */
#define FILTER_USUAL "!__k???tab_* & !__crc_*"

/* The state of one request for variables. */
struct probe_variables_asked {
	const struct probe_request *rq;
	struct notes *notes;
	struct probe_def def;
	struct probe_target *target;
	struct name_filter *filter;
	struct probe_variables *found;
};

static void asked_done(struct probe_variables_asked *a)
{
	probe_def_done(&a->def);
	probe_target_free(a->target);
	name_filter_free(a->filter);
}

static int probe_variables_parse(struct probe_variables_asked *a, const char *text, struct diag *d)
{
	int r = probe_def_parse(text, &a->def, d);

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
	return name_filter_parse(a->rq->filter ? a->rq->filter : FILTER_USUAL, &a->filter, d);
}

static int probe_variables_find_places(struct probe_variables_asked *a, struct debug_info *info,
				       struct debug_places *ret, struct diag *d)
{
	const struct probe_point *p = &a->def.point;
	struct resolve_options options = {
		.no_inlines = a->rq->no_inlines,
		.source = a->rq->source,
	};

	if (!p->has_address)
		return probe_places(&a->def, a->target, info, &options, ret, d);
	if (debug_place_at(info, p->address, ARRAY_ADD(ret)))
		return 0;
	return probe_def_mark(&a->def, p->where, -ENOENT, d,
			      "the debug information has no function at this address");
}

static struct variable_list_options list_options(const struct probe_variables_asked *a)
{
	return (struct variable_list_options){
		.externs = a->rq->externs,
		.ranges = a->rq->range,
		.filter = a->filter,
	};
}

static struct variable_list *probe_variables_add_place(struct probe_variables_asked *a,
						       const char *function, uint64_t offset)
{
	struct probe_variables_at *at = ARRAY_ADD(a->found);

	at->function = xstrdup(function);
	at->offset = offset;
	return &at->variables;
}

static void probe_variables_read_place(struct probe_variables_asked *a, struct debug_info *info,
				       const struct debug_place *place)
{
	struct variable_list_options options = list_options(a);

	variable_list_read(info, place, &options,
			   probe_variables_add_place(a, place->name ? place->name : "(unknown)",
						     place->addr - place->start));
}

static int read_debug(struct probe_variables_asked *a, struct debug_info *info, struct diag *d)
{
	_cleanup_(debug_places_done) struct debug_places places = { 0 };
	int r = probe_variables_find_places(a, info, &places, d);

	for (size_t i = 0; r >= 0 && i < places.n; i++)
		probe_variables_read_place(a, info, &places.items[i]);
	return r;
}

/* Reads the parameters of a kernel function from BTF, without debug information. */
static int probe_variables_read_btf(struct probe_variables_asked *a)
{
	_cleanup_(btf_parameters_freep) struct btf_parameters *all = NULL;
	const struct probe_point *p = &a->def.point;
	const struct arch *arch = probe_target_arch(a->target);
	struct variable_list_options options = list_options(a);

	if (!p->function || p->offset || p->has_line || p->pattern || arch != arch_host() ||
	    probe_target_kind(a->target) == PROBE_PROGRAM ||
	    btf_parameters_read(p->function, probe_target_name(a->target), arch, &all) < 0)
		return -ENODATA;
	variable_list_read_btf(all, &options, probe_variables_add_place(a, p->function, 0));
	notes_add(a->notes, NOTE_WARNING,
		  "this kernel's debug information is not installed: only parameters are shown, by "
		  "BTF");
	return 0;
}

static int probe_variables_read_all(struct probe_variables_asked *a, struct diag *d)
{
	const struct probe_request *rq = a->rq;
	struct probe_target_options options = probe_request_target(rq, rq->program, rq->module);
	struct debug_info *info;
	int r = probe_target_open(&options, &a->target, d);

	if (r < 0)
		return r;
	a->found->point = probe_point_text(&a->def.point);
	r = probe_target_debug(a->target, &info, d);
	if (r < 0 && probe_variables_read_btf(a) >= 0)
		return 0;
	if (r < 0)
		return explain_name(a->target, a->def.point.function, d) ? -ENOENT : r;
	return read_debug(a, info, d);
}

int probe_variables_find(const struct probe_request *rq, const char *text,
			 struct probe_variables *ret, struct notes *notes, struct diag *diag)
{
	_cleanup_(asked_done) struct probe_variables_asked a = { .rq = rq,
								 .notes = notes,
								 .found = ret };
	int r = probe_variables_parse(&a, text, diag);

	*ret = (struct probe_variables){ 0 };
	return r < 0 ? r : probe_variables_read_all(&a, diag);
}

void probe_variables_done(struct probe_variables *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].function);
		variable_list_done(&v->items[i].variables);
	}
	free(v->items);
	free(v->point);
}
