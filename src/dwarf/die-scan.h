/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The entries of .debug_info one after the other, those of interest only; and what a function's
 * says.
 *
 * libdw parses the abbreviation's attributes again for each entry, and one thread may use it at a
 * time; a kernel has some ten million entries. Here an entry is passed over in a step or two
 * (dwarf/die-table.h), and types not even entered. All is checked against the ends of the unit.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/u64-map.h"
#include "dwarf/die-file.h"
#include "dwarf/die-table.h"

/* A walk through the entries of a unit, in their order; there are no levels. */
struct die_walk {
	const struct die_file *file;
	const struct die_table *table; /* of the unit */
	const uint8_t *at, *end;
	uint8_t jumps; /* DIE_JUMP_*: whose children are passed over */
};

struct die_entry {
	uint64_t offset; /* in .debug_info */
	const struct die_abbrev *abbrev;
	const uint8_t *values;
};

void die_walk_init(struct die_walk *w, const struct die_file *f, const struct die_table *t,
		   uint8_t jumps);

/* The next entry with one of @roles; false: there is none, or what follows is damaged. */
bool die_walk_next(struct die_walk *w, uint8_t roles, struct die_entry *ret);

/* What an entry refers to: an offset in @file. */
struct die_reference {
	const struct die_file *file; /* NULL: nothing */
	uint64_t offset;
};

/* A name; @section and @offset say where it is if it lies in a section of strings. */
struct die_name {
	const char *text; /* NULL: there is none */
	const struct die_bytes *section;
	uint64_t offset;
};

/* What the entry of a function says, or that of an inlined copy. */
struct die_function {
	struct die_name name, linkage;
	bool has_code, is_declaration;
	/* Where it is declared, and an inlined copy called; line 0, file DIE_NONE: it is not said.
	 */
	uint64_t file, line, call_file, call_line;
	struct die_reference origin; /* abstract origin, or specification */
};

/* False: it is damaged. */
bool die_function_read(const struct die_file *f, const struct die_table *t,
		       const struct die_entry *e, struct die_function *ret);

/*
 * Fills in what the unit's own entry says about it; @scratch is compiled for that. Names of the
 * unit's entries depend on it, also for those who refer to them from other units: all units of all
 * files are read before the entries of any.
 */
void die_unit_read(const struct die_file *f, struct die_table *scratch, struct die_unit *u);

/* Tables of units that entries elsewhere refer to, kept. `{ 0 }` is empty. For one thread. */
struct die_tables {
	struct u64_map map;
	struct budget memory;   /* for those that are still to come */
	struct die_table empty; /* stands for those that are damaged */
};

void die_tables_done(struct die_tables *t);

/* That of the unit @u of @f; NULL: it is damaged, or there are too many for the size of @f. */
const struct die_table *die_tables_get(struct die_tables *tables, const struct die_file *f,
				       const struct die_unit *u);

/* Fills in names that @fn lacks from what it refers to; @t is the table of its own unit. */
void die_function_inherit(struct die_function *fn, const struct die_table *t,
			  struct die_tables *others);

/* The function's entry at @offset of @f. False: there is none. */
bool die_function_at(const struct die_file *f, uint64_t offset, struct die_tables *tables,
		     struct die_function *ret);
