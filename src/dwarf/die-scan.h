/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Walks through the entries of .debug_info, and reads the entries of functions.
 *
 * libdw parses the attributes of an abbreviation again for each entry, and only one thread may use
 * it at a time; a kernel has some ten million entries. Here an entry is skipped in a step or two
 * (dwarf/die-table.h), and types are not entered. All reads are checked against the end of the
 * unit.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/u64-map.h"
#include "dwarf/die-file.h"
#include "dwarf/die-table.h"

/* A walk through the entries of a unit in their order, at any depth. */
struct die_walk {
	const struct die_file *file;
	const struct die_table *table; /* table of the unit */
	const uint8_t *at, *end;
	uint8_t jumps; /* DIE_JUMP_*: entries whose children are skipped */
};

struct die_entry {
	uint64_t offset; /* offset in .debug_info */
	const struct die_abbrev *abbrev;
	const uint8_t *values;
};

void die_walk_init(struct die_walk *w, const struct die_file *f, const struct die_table *t,
		   uint8_t jumps);

/* Finds the next entry with one of @roles; false: there is none, or the rest is damaged. */
bool die_walk_next(struct die_walk *w, uint8_t roles, struct die_entry *ret);

/* The target of a reference of an entry: an offset in @file. */
struct die_reference {
	const struct die_file *file; /* NULL: nothing */
	uint64_t offset;
};

/* A name; @section and @offset are its place, if it is in a section of strings. */
struct die_name {
	const char *text; /* NULL: there is none */
	const struct die_bytes *section;
	uint64_t offset;
};

/* The attributes of a function, or of an inlined copy. */
struct die_function {
	struct die_name name, linkage;
	bool has_code, is_declaration;
	/*
	 * The places of its declaration, and of the call of an inlined copy; line 0, file DIE_NONE:
	 * unknown.
	 */
	uint64_t file, line, call_file, call_line;
	struct die_reference origin; /* abstract origin, or specification */
};

/* Reads the attributes. False: the entry is damaged. */
bool die_function_read(const struct die_file *f, const struct die_table *t,
		       const struct die_entry *e, struct die_function *ret);

enum die_place {
	DIE_NOWHERE, /* its location is more than an address, or missing */
	DIE_AT_ADDRESS,
	DIE_AT_INDEX, /* its address is in .debug_addr */
};

/* Finds the place of the variable @e, if it is the same at all times. */
enum die_place die_variable_place(const struct die_file *f, const struct die_table *t,
				  const struct die_entry *e, uint64_t *ret_addr);

/*
 * Fills in the data of the unit's first entry; @scratch is compiled for that. Names of the unit's
 * entries depend on it, also for entries of other units that refer to them: read all units of all
 * files before any entries.
 */
void die_unit_read(const struct die_file *f, struct die_table *scratch, struct die_unit *u);

/* Cached tables of units that entries of other units refer to. `{ 0 }` is empty. For one thread. */
struct die_tables {
	struct u64_map map;
	struct budget memory;   /* memory left for further tables */
	struct die_table empty; /* used for damaged ones */
};

void die_tables_done(struct die_tables *t);

/*
 * Returns the table of unit @u of @f; NULL: it is damaged, or tables take too much memory for the
 * size of @f.
 */
const struct die_table *die_tables_get(struct die_tables *tables, const struct die_file *f,
				       const struct die_unit *u);

/*
 * Fills in names missing in @fn from the entries to which it refers; @t is the table of its own
 * unit.
 */
void die_function_inherit(struct die_function *fn, const struct die_table *t,
			  struct die_tables *others);

/* Reads the function entry at @offset of @f. False: there is none. */
bool die_function_at(const struct die_file *f, uint64_t offset, struct die_tables *tables,
		     struct die_function *ret);
