/* SPDX-License-Identifier: MIT */
#pragma once
/* The members of a unit, for the files of this layer. Other code uses units.h. */
#include <elfutils/libdw.h>

#include "base/arena.h"
#include "base/range-map.h"
#include "base/u64-map.h"
#include "dwarf/units.h"

/* More ranges than any program has: hostile files refer to the same list again and again. */
#define DWARF_RANGES_MAX (1u << 22)

struct dwarf_file;
struct dwarf_function;

struct dwarf_unit {
	struct dwarf_file *file;
	struct dwarf_file *split; /* its part of a package, or NULL */
	unsigned reads;           /* since memory was released */
	Dwarf_Die die;            /* in split DWARF the skeleton's */
	Dwarf_Die full;           /* the entry with the functions, once they are read */
	uint64_t low;             /* start of its code */
	Dwarf_Half version;       /* version of DWARF, once @full is known */

	struct u64_map joined; /* joined paths by the address of libdw's string */
	struct arena paths;

	bool has_rows;
	struct dwarf_row *rows;
	size_t n_rows;

	bool has_functions, has_nested;
	struct dwarf_function *functions;
	size_t n_functions, functions_room;
	struct range_map map; /* functions by address */
	struct arena arena;   /* scopes of inlined functions */

	/* For scope-name.c, by the address of an entry: */
	struct u64_map children;  /* struct child_list: the beginnings of the children */
	struct u64_map qualified; /* qualified names */
	struct arena names;
	unsigned name_steps; /* steps that the name being made may still take */
};

/* True if a range has code; false for functions that the linker omitted. */
bool dwarf_range_is_live(uint64_t start, uint64_t end);

/*
 * Adds all live ranges of @die with @rank; 0: shorter ranges rank higher. Returns the lowest
 * address, or UINT64_MAX.
 */
uint64_t dwarf_ranges_add(Dwarf_Die *die, struct range_map *map, uint64_t rank, uint32_t value);

/*
 * Returns the path of a source file; a relative one is joined with the compiler's working
 * directory. @path must be libdw's string, because the result is cached by its address.
 */
const char *dwarf_unit_path(struct dwarf_unit *u, const char *path);

/* Sets u->full. In split DWARF it is in another file, which libdw finds, or in a package. */
void dwarf_unit_find_full(struct dwarf_unit *u);

/*
 * Finds the entry of the function with code at @addr, which is not inlined; false: there is none.
 */
bool dwarf_unit_function(struct dwarf_unit *u, uint64_t addr, Dwarf_Die *ret);

void dwarf_unit_rows_done(struct dwarf_unit *u);
void dwarf_unit_functions_done(struct dwarf_unit *u);
