/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The compile units of a program by the addresses of their code, and of each, when it is asked for,
 * the line table and the functions with what was inlined into them.
 *
 * Only the heads of all units are read at first; the lines and functions of a unit at the first
 * question about it, and the inside of a function at the first question about that. All belongs to
 * the units and lives as long as they; they need their dwarf_file. Addresses are link addresses.
 * One thread at a time. What is damaged is not there.
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

/* The unit with code at @addr, or NULL. */
struct dwarf_unit *dwarf_units_find(struct dwarf_units *u, uint64_t addr);

/* The first unit with code at or behind @addr, from where to @ret_end; NULL: none before @end. */
struct dwarf_unit *dwarf_units_next(struct dwarf_units *u, uint64_t *addr, uint64_t end,
				    uint64_t *ret_end);

/* From @addr up to the next row is code of this line. */
struct dwarf_row {
	uint64_t addr;
	const char *file; /* its path, joined with the unit's directory; NULL: of no line */
	uint32_t line;    /* 0: of none */
	bool is_stmt;     /* a statement begins here */
};

/* The row for @addr, or NULL. */
const struct dwarf_row *dwarf_unit_row(struct dwarf_unit *u, uint64_t addr);

/* The rows for [@start, @end), by address: the first may begin before. Returns how many. */
size_t dwarf_unit_rows(struct dwarf_unit *u, uint64_t start, uint64_t end,
		       const struct dwarf_row **ret);

/* A function, or one that was inlined into another. */
struct dwarf_scope {
	struct dwarf_scope *caller; /* that it was inlined into; NULL: it is real */
	const char *call_file;      /* where that calls it; NULL: unknown */
	uint32_t call_line;
	uint64_t start, end; /* of the part of a real one that was asked about */
};

/* The innermost function at @addr, or NULL. Good until the next question. */
struct dwarf_scope *dwarf_unit_scope(struct dwarf_unit *u, uint64_t addr);

/* What it is called in the symbol table, or would be (mangled), or in the source; NULL: unknown. */
const char *dwarf_scope_name(struct dwarf_scope *s);
