/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The compilation units of a program by the addresses of their code, with their line tables, their
 * functions and the functions inlined into these.
 *
 * At first only the headers of all units are read. The lines and functions of a unit are read at
 * the first query about it, and the inlined functions of a function at the first query about that.
 * Results belong to the units and live as long as they do; the dwarf_file must outlive them.
 * Addresses are link addresses. One thread at a time. Damaged parts are left out.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct dwarf_file;
struct dwarf_unit;
struct dwarf_units;

struct dwarf_units *dwarf_units_new(struct dwarf_file *f);
void dwarf_units_free(struct dwarf_units *u);
DEFINE_FREEP(dwarf_units)

/* True if parts of units are in other files, so that results depend on those, too. */
bool dwarf_units_are_split(const struct dwarf_units *u);

/* Returns the unit with code at @addr, or NULL. */
struct dwarf_unit *dwarf_units_find(struct dwarf_units *u, uint64_t addr);

/*
 * Returns the first unit with code at or after *@addr, which is set to the start of that code; its
 * end goes to *@ret_end. NULL: there is none before @end.
 */
struct dwarf_unit *dwarf_units_next(struct dwarf_units *u, uint64_t *addr, uint64_t end,
				    uint64_t *ret_end);

/* A row: the code from @addr to the next row belongs to this line. */
struct dwarf_row {
	uint64_t addr;
	const char *file; /* its path, joined with the unit's directory; NULL: no line */
	uint32_t line;    /* 0: none */
	bool is_stmt;     /* a statement begins here */
};

/* Returns the row for @addr, or NULL. */
const struct dwarf_row *dwarf_unit_row(struct dwarf_unit *u, uint64_t addr);

/*
 * Finds the rows for [@start, @end), by address: the first may begin before. Returns their number.
 */
size_t dwarf_unit_rows(struct dwarf_unit *u, uint64_t start, uint64_t end,
		       const struct dwarf_row **ret);

/* A function, or one that was inlined into another. */
struct dwarf_scope {
	struct dwarf_scope
		/* the function into which it was inlined; NULL: it was not inlined */
		*caller;
	const char *call_file; /* place of its call in @caller; NULL: unknown */
	uint32_t call_line;
	uint64_t start, end; /* range of the function with the address, if it was not inlined */
};

/* Returns the innermost function at @addr, or NULL. Valid until the next call. */
struct dwarf_scope *dwarf_unit_scope(struct dwarf_unit *u, uint64_t addr);

/*
 * Returns its linkage name (mangled, as in the symbol table), or its name in the source; NULL:
 * unknown.
 */
const char *dwarf_scope_name(struct dwarf_scope *s);
