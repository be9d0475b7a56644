/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of one image, sorted by address.
 *
 * Fill it with symbol_table_add(), call symbol_table_settle() after each source, look up with
 * symbol_table_find(). Settling gives symbols of unknown size an end and keeps one of those that
 * share an address. Names are copied into the table, and demangled when they are first returned,
 * because most never are. A settled table may be read by many threads.
 *
 * A table may also be a view of an index (symbol_table_init_index(), symbol_table_take_index()):
 * then it is settled from the start, and has only those symbols in memory that were found.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sealed-file.h"
#include "base/shared-map.h"
#include "symbol/index.h"
#include "symbol/symbol.h"
#include "symbol/tree.h"

struct name_block;

/* Returns the demangled form of @name, which the caller frees; NULL if it is not mangled. */
typedef char *symbol_pretty_fn(const char *name);

struct symbol_table {
	struct symbol *items;
	size_t n, room;
	struct name_block *names;
	symbol_pretty_fn *pretty; /* or NULL */
	pthread_mutex_t lock;     /* guards names, once the table is settled */
	struct symbol_history history;
	bool has_history;
	/*
	 * If symbols overlap: for each symbol the highest end of those before it; otherwise NULL.
	 */
	uint64_t *reach;
	/* Made when it is needed; its symbols are indexes of @items. */
	struct symbol_tree tree;
	/* Used instead of @items for a view of an index: */
	bool is_indexed;
	struct symbol_index index;
	struct sealed_file file; /* the file of the index, if the table owns it */
	uint64_t distance;       /* the distance by which addresses were moved */
	struct shared_map found; /* symbols by their number in the index */
};

/* Initialise @t. @pretty may be NULL. */
void symbol_table_init(struct symbol_table *t, symbol_pretty_fn *pretty);
void symbol_table_init_index(struct symbol_table *t, const struct symbol_index *index);
void symbol_table_done(struct symbol_table *t);

/* Makes an empty table a view of @index, which is in @file. Takes over @file. */
void symbol_table_take_index(struct symbol_table *t, const struct symbol_index *index,
			     struct sealed_file file);

/* Returns the tree of a table whose symbols overlap (it has a reach). */
const struct symbol_children *symbol_table_tree(struct symbol_table *t, uint32_t *ret_root);

/* Adds @s, whose name has @length bytes. An @end equal to @start means unknown. */
void symbol_table_add(struct symbol_table *t, struct symbol s, size_t length);

/* Does the same as symbol_table_add(), with a NUL-terminated name that outlives the table. */
void symbol_table_add_borrowed(struct symbol_table *t, struct symbol s);

/* Reserves memory for about @n more symbols. */
void symbol_table_expect(struct symbol_table *t, size_t n);

enum symbol_rules {
	SYMBOL_RULES_LINKER, /* unknown ends are at the next symbol; the best alias is kept */
	/*
	 * The same, but a symbol of unknown size has no addresses that a symbol of known size
	 * covers.
	 */
	SYMBOL_RULES_PROGRAM,
	SYMBOL_RULES_JIT, /* ends are exact; a later symbol is newer code */
};

/*
 * Sorts, finds ends and drops aliases by @rules. O(n log n); O(n) if symbols were added in order.
 * It may be called again after another source was added, whose symbols count as later ones.
 */
void symbol_table_settle(struct symbol_table *t, enum symbol_rules rules);

/*
 * Cuts the last settled symbol that begins before @addr, so that it ends at @addr or before. O(log
 * n).
 */
void symbol_table_end_before(struct symbol_table *t, uint64_t addr);

/* Starts to record which symbols are added and dropped, for symbol_table_arrange(). */
void symbol_table_remember(struct symbol_table *t);

/* Makes lookups find the same symbol as Linux's perf if symbols overlap. This is the last step. */
void symbol_table_arrange(struct symbol_table *t);

/* Adds @distance, modulo 2^64, to every address of a settled table. */
void symbol_table_move(struct symbol_table *t, uint64_t distance);

/* Finds the start of the lowest symbol of a settled table; false: it has none. */
bool symbol_table_start(const struct symbol_table *t, uint64_t *ret);

/* Returns the symbol that contains @addr, or NULL. O(log n). */
const struct symbol *symbol_table_find(struct symbol_table *t, uint64_t addr);

/*
 * Does the same for the target of a call: if symbols overlap, it returns the one that begins there.
 */
const struct symbol *symbol_table_find_called(struct symbol_table *t, uint64_t addr);

/*
 * Returns the first symbol whose name in the table, which may be mangled, is @name; or NULL. O(n).
 */
const struct symbol *symbol_table_find_name(struct symbol_table *t, const char *name);
