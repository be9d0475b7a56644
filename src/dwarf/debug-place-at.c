/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-places.h"

#include <dwarf.h>

#include <dwarf.h>

#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"

/* Returns the linkage name (C++, aliases); NULL: there is none. */
static const char *linker_name(Dwarf_Die *die)
{
	Dwarf_Attribute at;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &at));
}

/* Takes line @l, if it belongs to scope @number and a statement begins there. */
static bool is_line_of(struct debug_code *c, uint32_t number, const struct code_line *l,
		       struct debug_place *ret)
{
	const char *file;
	uint32_t first;

	if (!l->is_statement || !debug_entry_line(&c->items[number].die, &file, &first) ||
	    !debug_same_file(file, l->file))
		return false;
	ret->name = dwarf_diename(&c->items[number].die);
	ret->linker_name = linker_name(&c->items[number].die);
	ret->file = file;
	ret->line = l->line;
	ret->first_line = first;
	return true;
}

/* Finds the line of a place. At the beginning of an inlined copy, the line is that of the call. */
static bool debug_place_at_find_line(struct debug_code *c, uint32_t scope, struct debug_place *ret)
{
	uint32_t real = debug_code_real(c, scope), caller = debug_code_caller(c, ret->addr);
	struct code_line l;

	if (!debug_code_line_at(c, ret->addr, &l))
		return false;
	if (caller != scope && !debug_code_call(c, caller, ret->addr, &l))
		return false;
	/* A line in a header is of less use than the line into which it was inlined. */
	return debug_same_file(l.file, ret->file) &&
	       (is_line_of(c, caller, &l, ret) || is_line_of(c, real, &l, ret));
}

bool debug_place_at(struct debug_info *d, uint64_t addr, struct debug_place *ret)
{
	struct debug_code *c = debug_code_at(d, addr);
	uint32_t scope = c ? debug_code_scope(c, addr) : CODE_NONE, real;

	if (scope == CODE_NONE)
		return false;
	real = debug_code_real(c, scope);
	*ret = (struct debug_place){
		.addr = addr,
		.scope = debug_info_entry(d, &c->items[scope].die),
		.function = debug_info_entry(d, &c->items[real].die),
		.start = c->items[real].start,
		.name = dwarf_diename(&c->items[real].die),
		.linker_name = linker_name(&c->items[real].die),
		.scope_name = dwarf_diename(&c->items[scope].die),
		.is_inlined = scope != real,
	};
	if (debug_entry_line(&c->items[real].die, &ret->file, &ret->first_line))
		ret->line = ret->first_line;
	ret->starts_line = addr != ret->start && debug_place_at_find_line(c, scope, ret);
	return ret->name;
}
