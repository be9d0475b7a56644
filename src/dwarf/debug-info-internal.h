/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From the numbers of entries (dwarf/debug-info.h) to libdw's handles and back, for the files of
 * this layer. A number is the entry's offset in .debug_info; that of an entry elsewhere (in the
 * file that dwz made for several, or in one with split units) has the number of the file above it,
 * which only debug_info_die() reads.
 */
#include <config.h>

#if HAVE_LIBELF && HAVE_LIBDW
#include <elfutils/libdw.h>

#include "base/intern.h"
#include "base/u64-map.h"
#include "dwarf/debug-index.h"
#include "dwarf/debug-info.h"
#include "dwarf/die-scan.h"

/* False: there is no such entry. */
bool debug_info_die(struct debug_info *d, uint64_t entry, Dwarf_Die *ret);

/* The number of @die, which may come from following references. */
uint64_t debug_info_entry(struct debug_info *d, Dwarf_Die *die);

/* The unit's entry with the functions; of split DWARF not the skeleton. */
uint64_t debug_info_unit(struct debug_info *d, Dwarf_Die *die);

/* That with the line table: of split DWARF the skeleton. */
bool debug_info_line_unit(struct debug_info *d, Dwarf_Die *unit, Dwarf_Die *ret);

/* A copy of @text that lives as long as @d; equal ones once. */
const char *debug_info_text(struct debug_info *d, const char *text);

/* Where dwarf/debug-types.c keeps the types it has read; debug_info_free() releases them. */
struct debug_types **debug_info_types(struct debug_info *d);

/* Where dwarf/debug-codes.c keeps the units it has read; debug_info_free() releases them. */
struct debug_codes **debug_info_codes(struct debug_info *d);

/* Below here for debug-info.c and debug-info-*.c. */

/* Offsets of entries in a file are smaller. */
#define DEBUG_ENTRY_BITS 40

/* One of the files that entries are in. */
struct debug_part {
	struct die_file die;
	size_t number;
	Dwarf *dwarf;
	struct dwarf_file *opened; /* what @dwarf is of, if it belongs to us */
	size_t first_unit;         /* number of its first unit over all */
	uint64_t skeleton;         /* entry of the unit whose split part it is; 0: of none */
};

/* An inlined copy of the function with the entry @origin. */
struct debug_copy {
	uint64_t origin, copy;
};

/* Those in a unit, in order. */
struct debug_copies {
	struct debug_copy *items;
	size_t n, room;
};

struct debug_info {
	struct dwarf_file *file;
	struct elf_file *program; /* with the code, if it is another file; or NULL */
	char *index_path;         /* or NULL */
	struct progress *progress;
	struct debug_types *types;
	struct debug_codes *codes;
	struct intern texts;

	/* From here on once something was asked. */
	struct debug_index *index;
	struct die_files files;
	struct debug_part **parts; /* each has one of @files */
	size_t n_parts, parts_room;
	struct u64_map by_handle; /* parts by libdw's handle */
	struct die_tables tables;
	struct u64_map copies; /* struct debug_copies by number of unit, from 1 */
};

/* Opens the index, or makes it. */
void debug_info_load(struct debug_info *d);

static inline uint64_t debug_entry_number(size_t part, uint64_t offset)
{
	return (uint64_t)part << DEBUG_ENTRY_BITS | offset;
}
#endif
