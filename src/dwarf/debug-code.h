/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of one compile unit: its functions, with what was inlined into each, and where its lines
 * begin. For the files of this layer that place probes.
 */
#include <config.h>

#if HAVE_LIBELF && HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range-map.h"

#define CODE_NONE UINT32_MAX

/* A function with code, or a copy of one that was inlined. */
struct code_scope {
	Dwarf_Die die;
	uint64_t start;  /* where it is entered */
	uint32_t around; /* number of the scope that it was inlined into; CODE_NONE: it is real */
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

/* The unit that @any is an entry of; read at the first call, and kept. */
struct debug_code *debug_code_of(struct debug_info *d, Dwarf_Die *any);

/* The unit that has code at @addr, likewise; NULL: none. */
struct debug_code *debug_code_at(struct debug_info *d, uint64_t addr);
void debug_codes_free(struct debug_codes *l);

/* Reads the unit of @d that @any is an entry of. What is damaged is not there. */
void debug_code_read(struct debug_code *c, struct debug_info *d, Dwarf_Die *any);
void debug_code_done(struct debug_code *c);

/* Code at @addr begins line @line of @file, which is libdw's. */
struct code_line {
	const char *file;
	uint32_t line;
	uint64_t addr;
	bool is_call;      /* the line is one where what is inlined here was called */
	bool is_statement; /* of debug_code_line_at(): one begins with it */
};

/* The number of the innermost scope at @addr, or CODE_NONE. */
uint32_t debug_code_scope(const struct debug_code *c, uint64_t addr);

/*
 * As debug_code_scope(), but where a copy is entered is not in it yet: there the line is that of
 * the call.
 */
uint32_t debug_code_caller(const struct debug_code *c, uint64_t addr);

/*
 * The scope around @l that the line is of: the one of that file that is declared the least before
 * it. If there is none it is the real function.
 */
uint32_t debug_code_owner(const struct debug_code *c, const struct code_line *l);

/* The number of the scope that @die describes, or CODE_NONE. */
uint32_t debug_code_number(const struct debug_code *c, const Dwarf_Die *die);

/* The number of the real function around scope @number. */
uint32_t debug_code_real(const struct debug_code *c, uint32_t number);

/*
 * Calls @each for where statements begin, in the order of the line table, and then for where
 * functions begin and what was inlined is called, until it returns non-zero, which is returned.
 * Only of scope @number, without what was inlined into it, unless that is CODE_NONE.
 */
int debug_code_lines(struct debug_code *c, uint32_t number,
		     int (*each)(void *arg, const struct code_line *l), void *arg);

/*
 * Which line the code at @addr is of: where a function begins, that of its name; elsewhere the
 * first of those that the line table has for the address. False: none.
 */
bool debug_code_line_at(struct debug_code *c, uint64_t addr, struct code_line *ret);

/* The line on which what is entered at @addr and was inlined into scope @number is called. */
bool debug_code_call(struct debug_code *c, uint32_t number, uint64_t addr, struct code_line *ret);

/* The path of @file, which is libdw's, with the directory of the compiler if it counts from there.
 */
const char *debug_code_path(struct debug_info *d, struct debug_code *c, const char *file);

/* Where the function or copy is entered; false: it has no code. */
bool debug_entry_start(Dwarf_Die *die, uint64_t *ret);

/* Behind the prologue of the function at @start; @start if it has none or that cannot be told. */
uint64_t debug_entry_body(Dwarf_Die *function, uint64_t start);

/*
 * Was the unit that @any is of optimised? Then variables are in different places at different
 * times, and lists say where.
 */
bool debug_unit_is_optimised(Dwarf_Die *any);

/* The source file that declares the entry, libdw's text, and the line; false: unknown. */
bool debug_entry_line(Dwarf_Die *die, const char **ret_file, uint32_t *ret_line);

/* Are @a and @b, which may be NULL, the same file? */
bool debug_same_file(const char *a, const char *b);

/* Is @tail the end of @path, by whole components? */
bool debug_file_has_tail(const char *path, const char *tail);
#endif
