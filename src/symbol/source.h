/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the source line of an address, and the functions that were inlined there, from the DWARF of
 * the image or of its debug file.
 *
 * Addresses are those of image_symbol_find(). Nothing is read before the first lookup, and then
 * only the units that are needed. Results are cached, and live as long as the symbolizer. Any
 * thread may look up; a repeated lookup takes no lock. An image without DWARF costs one check.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/u64-map.h"
#include "symbol/symbol.h"
#include "symbol/table.h"

struct image;

struct source_line {
	const char *file; /* its path, joined with the compiler's directory; NULL: unknown */
	uint32_t line;    /* 0: unknown */
};

/* A function that contains an address, inlined or not. */
struct source_frame {
	/*
	 * If inlined: one symbol for each name in the image (start and end have no meaning);
	 * otherwise the result of image_symbol_find(), which may be NULL.
	 */
	const struct symbol *sym;
	struct source_line
		/* the address's line, for the innermost function; for others, the inlined call's */
		at;
	bool is_inlined;
};

/*
 * The functions at an address, innermost first; the last was not inlined. Empty: nothing is known
 * about the address.
 */
struct source_frames {
	const struct source_frame *items;
	size_t n;
};

struct source_frames image_code_frames(struct image *im, uint64_t addr);

/* Finds the line of the innermost function; false: unknown, and @ret is untouched. */
bool image_source_line(struct image *im, uint64_t addr, struct source_line *ret);

/* A row of the line table: the code from @addr to the next row belongs to this line. */
struct line_row {
	uint64_t addr;
	const char *file; /* NULL: there is no line, up to the next row */
	uint32_t line;
	bool is_stmt;     /* a statement begins here; recommended for breakpoints */
	const char *text; /* the line's text, if the image itself has it; or NULL */
};

/*
 * Finds the rows of the line table for [@start, @end), by address; the first may begin before
 * @start. Returns how many there are.
 */
size_t image_line_rows(struct image *im, uint64_t start, uint64_t end, const struct line_row **ret);

/*
 * Symbols for functions of an image that its symbol table does not have: inlined functions, one
 * symbol for each name, and functions that only DWARF knows.
 *
 * `struct source_names n = { .pretty = fn };` is empty; source_names_done() releases all symbols.
 * One thread at a time may use it. Names are demangled like those of the image's table.
 */

struct source_names {
	symbol_pretty_fn *pretty; /* or NULL */
	struct arena arena;
	struct intern texts;
	struct u64_map by_raw;   /* inlined functions by the address of their mangled name */
	struct u64_map by_text;  /* inlined functions by their demangled name in @texts */
	struct u64_map by_start; /* functions with code, by their start */
};

void source_names_done(struct source_names *n);

/*
 * Returns the symbol of the inlined function @raw, a mangled name that outlives @n; NULL is
 * "[unknown]".
 */
const struct symbol *source_names_inlined(struct source_names *n, const char *raw);

/* Returns the symbol of the function @s, which has code of its own. */
const struct symbol *source_names_real(struct source_names *n, const struct symbol *s);
