/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-variables.h"

#include <errno.h>

#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"

#include <dwarf.h>
#include <string.h>

#include "base/similar.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-location.h"
#include "dwarf/debug-types.h"

/* Blocks, or namespaces, do not nest deeper than this. */
#define DEPTH_MAX 100

struct debug_variables_walk {
	struct location_context context;
	int (*each)(void *arg, const struct debug_variable *v);
	void *arg;
	const char *name; /* only this one; NULL: all */
	struct similar *similar;
	bool is_extern;
	unsigned inlined; /* number of inlined functions of the place's function around it */
};

static bool has_attribute(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, attribute, &a);
}

static int visit_variable(struct debug_variables_walk *w, Dwarf_Die *scope, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct debug_variable v = {
		.name = name,
		.is_extern = w->is_extern,
		.is_inlined = w->inlined > 0,
	};

	if (!name)
		return 0;
	if (w->similar)
		similar_add(w->similar, debug_info_text(w->context.info, name));
	if (w->name && strcmp(name, w->name) != 0)
		return 0;
	v.entry = debug_info_entry(w->context.info, die);
	v.scope = debug_info_entry(w->context.info, scope);
	v.is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	v.type = debug_type_of(w->context.info, die);
	debug_location_read(&w->context, die, &v);
	v.is_external = has_attribute(die, DW_AT_external);
	v.is_declared = v.is_external && v.place.where == VARIABLE_NOWHERE;
	return w->each(w->arg, &v);
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

/* True if the walk enters @die. */
typedef bool enters_fn(const struct debug_variables_walk *w, Dwarf_Die *die, int tag);

/* In a function: enters the blocks and inlined functions around the address. */
static bool enters_code(const struct debug_variables_walk *w, Dwarf_Die *die, int tag)
{
	return (is_block(tag) || tag == DW_TAG_inlined_subroutine) &&
	       dwarf_haspc(die, w->context.addr) > 0;
}

/* In the abstract origin of a copy: enters all blocks, as they have no addresses. */
static bool enters_origin(const struct debug_variables_walk *w, Dwarf_Die *die, int tag)
{
	(void)w, (void)die;
	return is_block(tag);
}

static bool enters_unit(const struct debug_variables_walk *w, Dwarf_Die *die, int tag)
{
	(void)w, (void)die;
	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* Visits the variables in @parent, and in the entries that @enters accepts. */
static int debug_variables_walk_below(struct debug_variables_walk *w, Dwarf_Die *parent,
				      enters_fn *enters, unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return 0;
	do {
		int tag = dwarf_tag(&die), r = 0;

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			r = visit_variable(w, parent, &die);
		else if (enters(w, &die, tag)) {
			w->inlined += tag == DW_TAG_inlined_subroutine;
			r = debug_variables_walk_below(w, &die, enters, depth + 1);
			w->inlined -= tag == DW_TAG_inlined_subroutine;
		}
		if (r)
			return r;
	} while (debug_next(&die));
	return 0;
}

static bool debug_variables_start(struct debug_variables_walk *w, struct debug_info *d,
				  const struct debug_place *place, Dwarf_Die *ret_scope)
{
	uint64_t function = place->function ? place->function : place->scope;

	w->context.info = d;
	w->context.addr = place->addr;
	w->context.at_entry = place->addr == place->start;
	return place->scope && debug_info_die(d, place->scope, ret_scope) &&
	       debug_info_die(d, function, &w->context.function);
}

static int walk_externs(struct debug_variables_walk *w, Dwarf_Die *scope)
{
	Dwarf_Die unit;

	w->is_extern = true;
	return dwarf_diecu(scope, &unit, NULL, NULL)
		       ? debug_variables_walk_below(w, &unit, enters_unit, 0)
		       : 0;
}

int debug_variables_each(struct debug_info *d, const struct debug_place *place, bool with_externs,
			 int (*each)(void *arg, const struct debug_variable *v), void *arg)
{
	struct debug_variables_walk w = { .each = each, .arg = arg };
	Dwarf_Die scope;
	int r;

	if (!debug_variables_start(&w, d, place, &scope))
		return 0;
	r = debug_variables_walk_below(&w, &scope, enters_code, 0);
	return r || !with_externs ? r : walk_externs(&w, &scope);
}

struct debug_variables_found {
	struct debug_variable *ret;
	bool any;
};

/*
 * Keeps a variable. Blocks come after those around them, so the last variable found is the
 * innermost. A variable of an inlined function counts only if there is no other.
 */
static int debug_variables_keep(void *arg, const struct debug_variable *v)
{
	struct debug_variables_found *f = arg;

	if (f->any && v->is_inlined && !f->ret->is_inlined)
		return 0;
	*f->ret = *v;
	f->any = true;
	return 0;
}

/* Keeps a variable; among global ones, a definition replaces a declaration. */
static int keep_defined(void *arg, const struct debug_variable *v)
{
	debug_variables_keep(arg, v);
	return !v->is_declared;
}

int debug_variable_find(struct debug_info *d, const struct debug_place *place, const char *name,
			struct debug_variable *ret, struct similar *similar)
{
	struct debug_variables_found f = { .ret = ret };
	struct debug_variables_walk w = {
		.each = debug_variables_keep, .arg = &f, .name = name, .similar = similar
	};
	Dwarf_Attribute a;
	Dwarf_Die scope, origin;

	if (!debug_variables_start(&w, d, place, &scope))
		return -ENOENT;
	debug_variables_walk_below(&w, &scope, enters_code, 0);
	/* A variable that this copy lacks is still known: it has no location. */
	if (!f.any && dwarf_attr(&scope, DW_AT_abstract_origin, &a) &&
	    dwarf_formref_die(&a, &origin))
		debug_variables_walk_below(&w, &origin, enters_origin, 0);
	w.each = keep_defined;
	if (!f.any)
		walk_externs(&w, &scope);
	return f.any ? 0 : -ENOENT;
}

/* Calls @each for the address ranges of a block or function. */
static void each_scope_range(Dwarf_Die *scope,
			     void (*each)(void *arg, uint64_t start, uint64_t end), void *arg)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(scope, at, &base, &start, &end)) > 0)
		each(arg, start, end);
}

void debug_variable_ranges(struct debug_info *d, const struct debug_variable *v,
			   void (*each)(void *arg, uint64_t start, uint64_t end), void *arg)
{
	Dwarf_Die die, scope;
	Dwarf_Attribute a;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t n;
	ptrdiff_t at = 0;

	if (!debug_info_die(d, v->entry, &die) || !debug_info_die(d, v->scope, &scope))
		return;
	if (!dwarf_attr_integrate(&die, DW_AT_location, &a)) {
		if (v->place.where == VARIABLE_CONSTANT)
			each_scope_range(&scope, each, arg);
		return;
	}
	while ((at = dwarf_getlocations(&a, at, &base, &start, &end, &ops, &n)) > 0) {
		/* A location that is valid everywhere is not a list. */
		if (!start && end == UINT64_MAX)
			each_scope_range(&scope, each, arg);
		else
			each(arg, start, end);
	}
}
