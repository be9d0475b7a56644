/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of a unit, for the files of this layer. Others know units.h.
 */
#include <config.h>

#if HAVE_LIBELF && HAVE_LIBDW
#include <elfutils/libdw.h>

#include "base/arena.h"
#include "base/range-map.h"
#include "base/u64-map.h"
#include "dwarf/units.h"

/* More ranges than this has no program: lists that are referred to again and again. */
#define DWARF_RANGES_MAX (1u << 22)

struct dwarf_file;
struct dwarf_function;

struct dwarf_unit {
	struct dwarf_file *file;
	struct dwarf_file *split; /* what was taken out of a package, or NULL */
	unsigned reads;           /* since memory was given back */
	Dwarf_Die die;            /* in split DWARF that of the skeleton */
	Dwarf_Die full;           /* the one with the functions, once they are read */
	uint64_t low;             /* where its code begins */
	Dwarf_Half version;       /* of DWARF, once @full is known */

	struct u64_map joined; /* paths by where libdw has them */
	struct arena paths;

	bool has_rows;
	struct dwarf_row *rows;
	size_t n_rows;

	bool has_functions, has_nested;
	struct dwarf_function *functions;
	size_t n_functions, functions_room;
	struct range_map map; /* functions by address */
	struct arena arena;   /* scopes of what was inlined */
};

/* Whether a range is one of code that is there: not what the linker left out or never placed. */
bool dwarf_range_is_live(uint64_t start, uint64_t end);

/*
 * Adds all ranges of @die that are live, with @rank; 0: the shorter one is, the higher. Returns the
 * lowest address, or UINT64_MAX.
 */
uint64_t dwarf_ranges_add(Dwarf_Die *die, struct range_map *map, uint64_t rank, uint32_t value);

/*
 * The path of a source file, joined with the directory of the compiler if it counts from there;
 * @path is libdw's, which stays where it is.
 */
const char *dwarf_unit_path(struct dwarf_unit *u, const char *path);

/* Sets u->full: in split DWARF functions are in another file, one that libdw finds or a package. */
void dwarf_unit_find_full(struct dwarf_unit *u);

void dwarf_unit_rows_done(struct dwarf_unit *u);
void dwarf_unit_functions_done(struct dwarf_unit *u);
#endif
