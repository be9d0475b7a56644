/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A parsed and settled list of the kernel's symbols, cached in a file beside the list: finding a
 * symbol then reads a few pages of that file instead of the whole list.
 *
 * The file contains the size and time of the list from which it was made; if these differ, or
 * anything else is wrong, it is ignored and written again. Numbers are in this machine's byte
 * order.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "symbol/index.h"

struct kallsyms_index;
struct stat;
struct symbol_table;

/*
 * Symbols that mark a place and are kept although a function has the same address: _text and
 * _stext, whose recorded address shows how far the kernel was moved, and the beginning and end of
 * the code of the scheduler and of locks.
 */
#define KALLSYMS_REFERENCES 6
const char *kallsyms_reference_name(size_t i);

/* A table of the list: "" is the kernel itself, others are modules. */
struct kallsyms_part {
	const char *name;
	const struct symbol_table *table;
};

struct kallsyms_contents {
	const struct kallsyms_part *parts; /* the kernel first */
	size_t n;
	uint64_t references[KALLSYMS_REFERENCES]; /* addresses of the reference symbols; 0: not in
						     the list */
};

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

/*
 * Writes an index of @c, which was read from @source, to @path, completely or not at all. -EINVAL:
 * it has symbols that do not end where the next one begins.
 */
int kallsyms_index_save(const char *path, const struct stat *source,
			const struct kallsyms_contents *c);
