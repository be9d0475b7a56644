/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of one compilation unit: its functions, the functions inlined into each, and where its
 * lines begin. For the files of this layer that look for places (dwarf/debug-places.h).
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
	uint64_t start;  /* where it is entered */
	uint32_t around; /* number of the scope that it was inlined into, or CODE_NONE */
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

/* The unit of the entry @any. It is read at the first call, and kept. */
struct debug_code *debug_code_of(struct debug_info *d, Dwarf_Die *any);

/* The unit that has code at @addr, before anything of it is read; NULL: none. */
struct dwarf_unit *debug_unit_at(struct debug_info *d, uint64_t addr);

/* The unit that has code at @addr, likewise; NULL: none. */
struct debug_code *debug_code_at(struct debug_info *d, uint64_t addr);
void debug_codes_free(struct debug_codes *l);

/* Reads the unit of the entry @any. Damaged parts are left out. */
void debug_code_read(struct debug_code *c, struct debug_info *d, Dwarf_Die *any);
void debug_code_done(struct debug_code *c);

/* The code of line @line of @file begins at @addr. The text belongs to libdw. */
struct code_line {
	const char *file;
	uint32_t line;
	uint64_t addr;
	bool is_call;      /* the line has the call of the function that is inlined at @addr */
	bool is_statement; /* set by debug_code_line_at(): a statement begins at @addr */
};

/* The number of the innermost scope at @addr, or CODE_NONE. */
uint32_t debug_code_scope(const struct debug_code *c, uint64_t addr);

/*
 * As debug_code_scope(), but at the address where an inlined copy is entered, its caller: there the
 * line is that of the call.
 */
uint32_t debug_code_caller(const struct debug_code *c, uint64_t addr);

/*
 * The scope around @l that the line belongs to: of those in the same file, the one that is declared
 * last before the line. If there is none, the function with code.
 */
uint32_t debug_code_owner(const struct debug_code *c, const struct code_line *l);

/* The number of the scope that @die describes, or CODE_NONE. */
uint32_t debug_code_number(const struct debug_code *c, const Dwarf_Die *die);

/* The number of the function with code around scope @number. */
uint32_t debug_code_real(const struct debug_code *c, uint32_t number);

/*
 * Calls @each for where statements begin, in the order of the line table, then for where functions
 * begin and inlined functions are called, until it returns non-zero, which is returned. Only in
 * scope @number, without functions inlined into it, unless that is CODE_NONE.
 */
int debug_code_lines(struct debug_code *c, uint32_t number,
		     int (*each)(void *arg, const struct code_line *l), void *arg);

/*
 * The line of the code at @addr: where a function begins, the line of its declaration; elsewhere
 * the first one that the line table has for the address. False: none.
 */
bool debug_code_line_at(struct debug_code *c, uint64_t addr, struct code_line *ret);

/* The line in scope @number that calls the inlined function whose code begins at @addr. */
bool debug_code_call(struct debug_code *c, uint32_t number, uint64_t addr, struct code_line *ret);

/* The path of @file, a text of libdw's. A relative one gets the compiler's working directory. */
const char *debug_code_path(struct debug_info *d, struct debug_code *c, const char *file);

/* The entry point of a function or copy; false: it has no code. */
bool debug_entry_start(Dwarf_Die *die, uint64_t *ret);

/* The address behind the prologue of the function at @start; @start if it has none, or unknown. */
uint64_t debug_entry_body(Dwarf_Die *function, uint64_t start);

/* Was the unit of @any compiled with optimisation? Then its variables have location lists. */
bool debug_unit_is_optimised(Dwarf_Die *any);

/* The source file that declares the entry, libdw's text, and the line; false: unknown. */
bool debug_entry_line(Dwarf_Die *die, const char **ret_file, uint32_t *ret_line);

/* Are @a and @b, which may be NULL, the same file? */
bool debug_same_file(const char *a, const char *b);

/* Is @tail the end of @path, by whole components? */
bool debug_file_has_tail(const char *path, const char *tail);
