/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where code was written: the source line of an address, and the functions that the compiler
 * inlined there, out of the DWARF of the image or of its debug file.
 *
 * Addresses are those that image_symbol_find() takes. Nothing is read before the first question,
 * and then only what the questions touch; answers are remembered, belong to the symbolizer and live
 * as long as it. Any thread may ask, and one that asks again takes no lock. An image without DWARF
 * costs one check.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

struct image;

struct source_line {
	const char *file; /* its path, joined with the compiler's directory; NULL: unknown */
	uint32_t line;    /* 0: unknown */
};

/* A function, inlined or real, that an address is in. */
struct source_frame {
	/* One for each name of an image if it is inlined (its start and end mean nothing), else
	 * what image_symbol_find() gives, which may be NULL. */
	const struct symbol *sym;
	struct source_line at; /* innermost: of the address; of others: of the inlined call */
	bool is_inlined;
};

/* Innermost first; the last is the real function. None: nothing is known of the address. */
struct source_frames {
	const struct source_frame *items;
	size_t n;
};

struct source_frames image_code_frames(struct image *im, uint64_t addr);

/* The line of the innermost function; false: unknown, and @ret is untouched. */
bool image_source_line(struct image *im, uint64_t addr, struct source_line *ret);

/* From @addr up to the next row is code of this line. */
struct line_row {
	uint64_t addr;
	const char *file; /* NULL: of no line, up to the next row */
	uint32_t line;
	bool is_stmt; /* a statement begins here, as the compiler recommends for breakpoints */
};

/*
 * The rows of the line table for [@start, @end), by address; the first may begin before @start.
 * Returns how many.
 */
size_t image_line_rows(struct image *im, uint64_t start, uint64_t end, const struct line_row **ret);
