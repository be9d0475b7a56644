/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A parsed and settled list of the kernel's symbols, in arrays. It can be cached in a file beside
 * the list: finding a symbol then reads a few pages of that file instead of the whole list.
 *
 * The file contains the size and time of the list from which it was made; if these differ, or
 * anything else is wrong, it is ignored and written again. Numbers are in this machine's byte
 * order.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "symbol/index.h"

struct kallsyms_index;
struct stat;

/*
 * Symbols that mark a place and are kept although a function has the same address: _text and
 * _stext, whose recorded address shows how far the kernel was moved, and the beginning and end of
 * the code of the scheduler and of locks.
 */
#define KALLSYMS_REFERENCES 6
const char *kallsyms_reference_name(size_t i);

struct kallsyms_symbol {
	uint64_t addr;
	uint32_t name; /* offset in the text */
	uint16_t table;
	char binding;
};

/* The symbols of which an index is to be made, in any order. */
struct kallsyms_draft {
	struct kallsyms_symbol *items;
	size_t n, room;
	struct bytes text;   /* names, each with a NUL */
	struct bytes tables; /* the names of the tables: uint32_t offsets in the text */
	uint64_t references[KALLSYMS_REFERENCES]; /* addresses of the reference symbols; 0: not in
						     the list */
};

/* Begins a draft with table 0, that of the kernel, which is called "". */
void kallsyms_draft_init(struct kallsyms_draft *d);
void kallsyms_draft_done(struct kallsyms_draft *d);

/* Adds a table, that of a module, which has the next number. Returns its name's offset. */
uint32_t kallsyms_draft_add_table(struct kallsyms_draft *d, const char *name, size_t length);

/* Adds a symbol to table number @table. */
void kallsyms_draft_add(struct kallsyms_draft *d, uint32_t table, uint64_t addr, const char *name,
			size_t length, char binding);

/*
 * Makes an index in memory. Of symbols with the same address the last one is kept. The memory of
 * @d is used up.
 */
struct kallsyms_index *kallsyms_index_new(struct kallsyms_draft *d);

/*
 * Opens the index at @path, if it was made from @source. -ENOENT, -ESTALE, -EBADMSG, ...: it cannot
 * be used.
 */
int kallsyms_index_open(const char *path, const struct stat *source, struct kallsyms_index **ret);
void kallsyms_index_free(struct kallsyms_index *x);
DEFINE_FREEP(kallsyms_index)

/* Returns the number of tables: at least the kernel's. */
size_t kallsyms_index_count(const struct kallsyms_index *x);

/* Returns table @i, and its name. Both live as long as @x. */
struct symbol_index kallsyms_index_table(const struct kallsyms_index *x, size_t i,
					 const char **ret_name);

/* Returns the address of reference @i; 0: it was not in the list. */
uint64_t kallsyms_index_reference(const struct kallsyms_index *x, size_t i);

/* Writes @x, which was made from @source, to @path, completely or not at all. */
int kallsyms_index_save(const struct kallsyms_index *x, const char *path,
			const struct stat *source);
