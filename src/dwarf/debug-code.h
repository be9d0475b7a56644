/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of one compilation unit: its functions, the functions inlined into each, and the
 * beginnings of its lines. For the files of this layer that search for places
 * (dwarf/debug-places.h).
 */
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range-map.h"

#define CODE_NONE UINT32_MAX

/* A function with code, or an inlined copy of one. */
struct code_scope {
	Dwarf_Die die;
	uint64_t start;  /* entry point */
	uint32_t around; /* number of the scope into which it was inlined, or CODE_NONE */
};

struct debug_code {
	Dwarf_Die unit;
	struct code_scope *items; /* in the order of .debug_info */
	size_t n, room;
	struct range_map map; /* the innermost scope by address */
	Dwarf_Lines *lines;
	size_t n_lines;
	Dwarf_Files *files;
	size_t n_files;
};

struct debug_codes;
struct debug_info;
struct dwarf_unit;

/* Returns the unit of the entry @any. It is read at the first call, and kept. */
struct debug_code *debug_code_of(struct debug_info *d, Dwarf_Die *any);

/* Returns the unit that has code at @addr, without reading its contents; NULL: none. */
struct dwarf_unit *debug_unit_at(struct debug_info *d, uint64_t addr);

/* Returns the unit that has code at @addr, read as above; NULL: none. */
struct debug_code *debug_code_at(struct debug_info *d, uint64_t addr);
void debug_codes_free(struct debug_codes *l);

/* Reads the unit of the entry @any. Damaged parts are left out. */
void debug_code_read(struct debug_code *c, struct debug_info *d, Dwarf_Die *any);
void debug_code_done(struct debug_code *c);

/*
 * A place in the source: the code of line @line of @file begins at @addr. The text belongs to
 * libdw.
 */
struct code_line {
	const char *file;
	uint32_t line;
	uint64_t addr;
	bool is_call;      /* the line contains the call of the function inlined at @addr */
	bool is_statement; /* set by debug_code_line_at(): a statement begins at @addr */
};

/* Returns the number of the innermost scope at @addr, or CODE_NONE. */
uint32_t debug_code_scope(const struct debug_code *c, uint64_t addr);

/*
 * Does the same as debug_code_scope(), but at the address where an inlined copy is entered, returns
 * its caller: the line there is that of the call.
 */
uint32_t debug_code_caller(const struct debug_code *c, uint64_t addr);

/*
 * Returns the scope around @l to which the line belongs: of those in the same file, the one that is
 * declared last before the line. If there is none, the function with code.
 */
uint32_t debug_code_owner(const struct debug_code *c, const struct code_line *l);

/* Returns the number of the scope that @die describes, or CODE_NONE. */
uint32_t debug_code_number(const struct debug_code *c, const Dwarf_Die *die);

/* Returns the number of the function with code around scope @number. */
uint32_t debug_code_real(const struct debug_code *c, uint32_t number);

/*
 * Calls @each for the beginnings of statements, in the order of the line table, then for the
 * beginnings of functions and the calls of inlined functions, until it returns non-zero, which is
 * returned. Only in scope @number, without functions inlined into it, unless that is CODE_NONE.
 */
int debug_code_lines(struct debug_code *c, uint32_t number,
		     int (*each)(void *arg, const struct code_line *l), void *arg);

/*
 * Finds the line of the code at @addr: at the beginning of a function, the line of its declaration;
 * elsewhere the first one in the line table for the address. False: none.
 */
bool debug_code_line_at(struct debug_code *c, uint64_t addr, struct code_line *ret);

/* Finds the line in scope @number that calls the inlined function whose code begins at @addr. */
bool debug_code_call(struct debug_code *c, uint32_t number, uint64_t addr, struct code_line *ret);

/*
 * Returns the path of @file, a text of libdw's. A relative path is prefixed with the compiler's
 * working directory.
 */
const char *debug_code_path(struct debug_info *d, struct debug_code *c, const char *file);

/* Finds the entry point of a function or copy; false: it has no code. */
bool debug_entry_start(Dwarf_Die *die, uint64_t *ret);

/*
 * Returns the address after the prologue of the function at @start; @start if it has none, or it is
 * unknown.
 */
uint64_t debug_entry_body(Dwarf_Die *function, uint64_t start);

/*
 * True if the unit of @any was compiled with optimisation. Its variables then have location lists.
 */
bool debug_unit_is_optimised(Dwarf_Die *any);

/* Finds the source file that declares the entry, libdw's text, and the line; false: unknown. */
bool debug_entry_line(Dwarf_Die *die, const char **ret_file, uint32_t *ret_line);

/* True if @a and @b, which may be NULL, are the same file. */
bool debug_same_file(const char *a, const char *b);

/* True if @tail is the end of @path, by whole components. */
bool debug_file_has_tail(const char *path, const char *tail);
