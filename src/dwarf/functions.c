/* SPDX-License-Identifier: MIT */
/*
 * The functions of a unit, and the functions inlined into each.
 *
 * Functions are searched among the entries of the unit and of its namespaces, where compilers put
 * functions with code. Classes, blocks and other functions are searched only for an address that
 * none of these has, because that takes several times as long.
 *
 * The inlined functions of a function are read when one of its addresses is queried.
 *
 * In damaged files, lists of entries may have no end, or refer back to earlier entries, so that a
 * walk would never end. A walk therefore goes only forward, and not too deep.
 */
#include "dwarf/units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "dwarf/file.h"
#include "dwarf/package.h"
#include "dwarf/scope-name.h"
#include "dwarf/unit.h"
#include "elf/file.h"

/* No compiler inlines deeper than this, or nests blocks or namespaces deeper. */
#define DEPTH_MAX 200

/* After this number of functions the mapped memory that was read for them is released. */
#define READS_MAX 8

/* A scope, with fields that only this file knows. */
struct scope {
	struct dwarf_scope shown;
	struct dwarf_unit *unit;
	Dwarf_Die die;
	const char *name;
	bool is_named;
};

struct dwarf_function {
	struct scope scope;
	bool is_read;
	struct range_map inlined; /* numbers of @items by address */
	struct scope **items;
	size_t n, room;
};

void dwarf_unit_functions_done(struct dwarf_unit *u)
{
	for (size_t i = 0; i < u->n_functions; i++) {
		range_map_done(&u->functions[i].inlined);
		free(u->functions[i].items);
	}
	free(u->functions);
	range_map_done(&u->map);
	arena_done(&u->arena);
}

/* A walk through entries. */
struct dwarf_functions_walk {
	struct dwarf_unit *unit;
	struct dwarf_function *function; /* the function that contains it, or NULL */
	const void *reached;             /* the last entry passed */
};

/* Moves the walk to @die; false: it is not ahead. */
static bool functions_walk_to(struct dwarf_functions_walk *w, const Dwarf_Die *die)
{
	if (w->reached && (uintptr_t)die->addr <= (uintptr_t)w->reached)
		return false;
	w->reached = die->addr;
	return true;
}

static bool first_child(struct dwarf_functions_walk *w, Dwarf_Die *parent, Dwarf_Die *ret)
{
	return dwarf_child(parent, ret) == 0 && functions_walk_to(w, ret);
}

/* Moves @die to its next sibling. */
static bool next_sibling(struct dwarf_functions_walk *w, Dwarf_Die *die)
{
	return dwarf_siblingof(die, die) == 0 && functions_walk_to(w, die);
}

static void functions_add_function(struct dwarf_unit *u, Dwarf_Die *die)
{
	uint32_t number = (uint32_t)u->n_functions;

	if (dwarf_ranges_add(die, &u->map, 0, number) == UINT64_MAX)
		return;
	u->functions = array_reserve(u->functions, &u->functions_room, u->n_functions + 1,
				     sizeof(u->functions[0]));
	u->functions[u->n_functions++] =
		(struct dwarf_function){ .scope = { .unit = u, .die = *die } };
}

/* True if the entry may contain functions with code. */
static bool is_container(int tag, bool nested)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_inlined_subroutine:
		return nested;
	default:
		return false;
	}
}

static void functions_find(struct dwarf_functions_walk *w, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || !first_child(w, parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			functions_add_function(w->unit, &die);
		if (is_container(tag, w->unit->has_nested))
			functions_find(w, &die, depth + 1);
	} while (next_sibling(w, &die));
}

/* True if libdw, which opens @path by itself, may do so: a device must not be opened. */
static bool is_safe_to_open(const char *path)
{
	_cleanup_(closep) int found = input_file_find(path, 0, NULL);

	return found >= 0 || found == -ENOENT;
}

static bool is_safe_below(const char *folder, const char *name)
{
	_cleanup_(freep) char *path = folder && *name != '/' ? xasprintf("%s/%s", folder, name)
							     : xstrdup(name);

	return is_safe_to_open(path);
}

/*
 * True if libdw may search for the file of a split unit, whose name the program chose: it looks
 * beside the program and in the folder where that was compiled.
 */
static bool split_is_safe(struct dwarf_unit *u)
{
	Dwarf_Attribute a;
	const char *name = dwarf_attr(&u->die, DW_AT_dwo_name, &a) ||
					   dwarf_attr(&u->die, DW_AT_GNU_dwo_name, &a)
				   ? dwarf_formstring(&a)
				   : NULL;
	const char *folder = dwarf_attr(&u->die, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;
	_cleanup_(freep) char *beside = elf_file_folder(dwarf_file_elf(u->file));

	return !name || (is_safe_below(NULL, name) && is_safe_below(beside, name) &&
			 is_safe_below(folder, name));
}

/* True if @u is a skeleton; then finds the identity of its other part. */
static bool is_skeleton(struct dwarf_unit *u, Dwarf_Die *ret_split, struct dwarf_skeleton *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word base = 0;
	uint8_t type;

	*ret = (struct dwarf_skeleton){ .id = 0 };
	*ret_split = (Dwarf_Die){ .addr = NULL };
	if (dwarf_cu_info(u->die.cu, &u->version, &type, NULL, split_is_safe(u) ? ret_split : NULL,
			  &ret->id, NULL, NULL) != 0 ||
	    type != DW_UT_skeleton)
		return false;
	if (dwarf_attr(&u->die, DW_AT_addr_base, &a) && dwarf_formudata(&a, &base) == 0)
		ret->addr_base = base;
	return true;
}

static void open_packaged(struct dwarf_unit *u, const struct dwarf_skeleton *s)
{
	struct elf_file *package = dwarf_file_package(u->file), *f;
	Dwarf_CU *cu = NULL;
	uint8_t *bytes;
	size_t size;

	if (!package ||
	    dwarf_package_unit(package, dwarf_file_elf(u->file), s, &bytes, &size) < 0 ||
	    elf_file_take_memory(bytes, size, &f) < 0 || dwarf_file_open(f, &u->split) < 0)
		return;

	Dwarf_Die die;

	if (dwarf_get_units(dwarf_file_handle(u->split), NULL, &cu, NULL, NULL, &die, NULL) == 0)
		u->full = die;
}

void dwarf_unit_find_full(struct dwarf_unit *u)
{
	struct dwarf_skeleton skeleton;
	Dwarf_Die split;

	u->full = u->die;
	if (!is_skeleton(u, &split, &skeleton))
		return;
	if (split.addr)
		u->full = split;
	else
		open_packaged(u, &skeleton);
}

static void functions_read(struct dwarf_unit *u)
{
	dwarf_unit_functions_done(u);
	u->functions = NULL;
	u->n_functions = u->functions_room = 0;
	functions_find(&(struct dwarf_functions_walk){ .unit = u }, &u->full, 0);
	range_map_settle(&u->map);
	/* The walk has read the whole unit, of which little is needed again. */
	elf_file_drop(dwarf_file_elf(u->file));
}

static const struct range *functions_find_function(struct dwarf_unit *u, uint64_t addr)
{
	const struct range *r;

	if (!u->has_functions) {
		dwarf_unit_find_full(u);
		functions_read(u);
	}
	u->has_functions = true;
	r = range_map_find(&u->map, addr);
	if (r || u->has_nested)
		return r;
	u->has_nested = true;
	functions_read(u);
	return range_map_find(&u->map, addr);
}

bool dwarf_unit_function(struct dwarf_unit *u, uint64_t addr, Dwarf_Die *ret)
{
	const struct range *r = functions_find_function(u, addr);

	if (r)
		*ret = u->functions[r->value].scope.die;
	return r;
}

static bool functions_number_of(Dwarf_Die *die, unsigned attribute, Dwarf_Word *ret)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, attribute, &a) && dwarf_formudata(&a, ret) == 0;
}

/* Finds the table of files. A split unit has its own, or uses that of its skeleton. */
static bool functions_files_of(struct dwarf_unit *u, Dwarf_Files **ret, size_t *ret_n)
{
	return dwarf_getsrcfiles(&u->full, ret, ret_n) == 0 ||
	       (u->full.cu != u->die.cu && dwarf_getsrcfiles(&u->die, ret, ret_n) == 0);
}

/* Returns the file of a call. Before DWARF 5 the first file had the number 1. */
static const char *call_file(struct dwarf_unit *u, Dwarf_Die *die)
{
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t n;

	if (!functions_number_of(die, DW_AT_call_file, &number) || (!number && u->version < 5) ||
	    !functions_files_of(u, &files, &n) || number >= n)
		return NULL;
	return dwarf_unit_path(u, dwarf_filesrc(files, number, NULL, NULL));
}

static uint32_t call_line(Dwarf_Die *die)
{
	Dwarf_Word line;

	return functions_number_of(die, DW_AT_call_line, &line) && line <= UINT32_MAX
		       ? (uint32_t)line
		       : 0;
}

static struct scope *functions_add_inlined(const struct dwarf_functions_walk *w, Dwarf_Die *die,
					   struct scope *caller, unsigned depth)
{
	struct dwarf_function *f = w->function;
	uint32_t number = (uint32_t)f->n;

	if (dwarf_ranges_add(die, &f->inlined, depth, number) == UINT64_MAX)
		return NULL;

	struct scope *s = arena_alloc(&w->unit->arena, sizeof(*s));

	s->unit = w->unit;
	s->die = *die;
	s->shown.caller = &caller->shown;
	s->shown.call_file = call_file(w->unit, die);
	s->shown.call_line = call_line(die);
	*ARRAY_ADD(f) = s;
	return s;
}

static void find_inlined(struct dwarf_functions_walk *w, Dwarf_Die *parent, struct scope *caller,
			 unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || !first_child(w, parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine) {
			struct scope *s = functions_add_inlined(w, &die, caller, depth);

			if (s)
				find_inlined(w, &die, s, depth + 1);
		} else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
			   tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt) {
			find_inlined(w, &die, caller, depth + 1);
		}
	} while (next_sibling(w, &die));
}

static void read_inlined(struct dwarf_unit *u, struct dwarf_function *f)
{
	find_inlined(&(struct dwarf_functions_walk){ .unit = u, .function = f }, &f->scope.die,
		     &f->scope, 1);
	range_map_settle(&f->inlined);
	/* The kernel maps 64 KB around each of the few bytes that were read. */
	if (++u->reads % READS_MAX == 0)
		elf_file_drop(dwarf_file_elf(u->file));
}

struct dwarf_scope *dwarf_unit_scope(struct dwarf_unit *u, uint64_t addr)
{
	const struct range *r = functions_find_function(u, addr), *inlined;

	if (!r)
		return NULL;

	struct dwarf_function *f = &u->functions[r->value];

	if (!f->is_read)
		read_inlined(u, f);
	f->is_read = true;
	f->scope.shown.start = r->start;
	f->scope.shown.end = r->end;
	inlined = range_map_find(&f->inlined, addr);
	return inlined ? &f->items[inlined->value]->shown : &f->scope.shown;
}

static const char *functions_text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr_integrate(die, attribute, &a));
}

const char *dwarf_scope_name(struct dwarf_scope *shown)
{
	struct scope *s = (struct scope *)shown;

	if (s->is_named)
		return s->name;
	s->is_named = true;
	s->name = functions_text_of(&s->die, DW_AT_linkage_name);
	if (!s->name)
		s->name = functions_text_of(&s->die, DW_AT_MIPS_linkage_name);
	if (!s->name)
		s->name = dwarf_qualified_name(s->unit, &s->die);
	return s->name;
}
