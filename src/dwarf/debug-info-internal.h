/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Translates between the numbers of entries (dwarf/debug-info.h) and libdw's handles, for the files
 * of this layer. The number of an entry is its offset in .debug_info. An entry of another file
 * (made by dwz, or with split units) has the number of that file in the higher bits, which only
 * debug_info_die() reads.
 */
#include <elfutils/libdw.h>

#include "base/intern.h"
#include "base/u64-map.h"
#include "dwarf/debug-index.h"
#include "dwarf/debug-info.h"
#include "dwarf/die-scan.h"

/* Finds an entry. False: there is no such entry. */
bool debug_info_die(struct debug_info *d, uint64_t entry, Dwarf_Die *ret);

/* Returns the number of @die, which may be in another file. */
uint64_t debug_info_entry(struct debug_info *d, Dwarf_Die *die);

/*
 * Returns the number of the unit entry of @die; in split DWARF that with the functions, not the
 * skeleton.
 */
uint64_t debug_info_unit(struct debug_info *d, Dwarf_Die *die);

/* Finds the unit entry that has the line table; in split DWARF that is the skeleton. */
bool debug_info_line_unit(struct debug_info *d, Dwarf_Die *unit, Dwarf_Die *ret);

/* Returns an interned copy of @text that lives as long as @d. */
const char *debug_info_text(struct debug_info *d, const char *text);

/*
 * Returns the place where dwarf/debug-types.c keeps the types that it has read; debug_info_free()
 * releases them.
 */
struct debug_types **debug_info_types(struct debug_info *d);

/*
 * Returns the place where dwarf/debug-codes.c keeps the units that it has read; debug_info_free()
 * releases them.
 */
struct debug_codes **debug_info_codes(struct debug_info *d);

/* The following is for debug-info.c and debug-info-*.c. */

/* Offsets of entries have fewer bits. */
#define DEBUG_ENTRY_BITS 40

/* One of the files that contain entries. */
struct debug_part {
	struct die_file die;
	size_t number;
	Dwarf *dwarf;
	struct dwarf_file *opened; /* the file of @dwarf, if we own it */
	size_t first_unit;         /* number of its first unit, counted over all parts */
	uint64_t skeleton;         /* entry of the unit whose split part this is; 0: none */
};

/* An inlined copy of the function with the entry @origin. */
struct debug_copy {
	uint64_t origin, copy;
};

/* The copies in a unit, in order. */
struct debug_copies {
	struct debug_copy *items;
	size_t n, room;
};

struct debug_info {
	struct dwarf_file *file;
	struct elf_file *program; /* the file with the code, if it is a separate one; or NULL */
	char *index_path;         /* or NULL */
	struct progress *progress;
	struct debug_types *types;
	struct debug_codes *codes;
	struct debug_statics *statics;
	struct intern texts;

	/* Set by debug_info_load(): */
	struct debug_index *index;
	struct die_files files;
	struct debug_part **parts; /* each has one of @files */
	size_t n_parts, parts_room;
	struct u64_map by_handle; /* parts by libdw's handle */
	struct die_tables tables;
	struct u64_map copies; /* struct debug_copies by number of unit, from 1 */
};

/* Opens or makes the index, at the first call. */
void debug_info_load(struct debug_info *d);

static inline uint64_t debug_entry_number(size_t part, uint64_t offset)
{
	return (uint64_t)part << DEBUG_ENTRY_BITS | offset;
}
