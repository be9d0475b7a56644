/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of one image, sorted by address.
 *
 * Fill it with symbol_table_add(), call symbol_table_settle() when a source is exhausted, look up
 * with symbol_table_find(). Settling gives symbols of unknown size an end and keeps one of those
 * that share an address. Names are copied into the table, and prettified by its demangler when
 * first wanted, as most are never looked at. A settled table may be read by many threads.
 *
 * Or it stands on an index that somebody else keeps (symbol_table_init_index()): then it is settled
 * from the start, and has only those symbols in memory that were found.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/shared-map.h"
#include "symbol/index.h"
#include "symbol/symbol.h"
#include "symbol/tree.h"

struct name_block;

/* A readable form of @name that the caller frees, or NULL if it is good as it is. */
typedef char *symbol_pretty_fn(const char *name);

struct symbol_table {
	struct symbol *items;
	size_t n, room;
	struct name_block *names;
	symbol_pretty_fn *pretty; /* or NULL */
	pthread_mutex_t lock;     /* of names, once the table is settled */
	struct symbol_history history;
	bool has_history;
	/* Where symbols overlap: how far those before each reach at most; else NULL. */
	uint64_t *reach;
	/* Made once it is needed; its symbols are indexes of @items. */
	struct symbol_tree tree;
	/* Or all of this instead of @items: */
	bool is_indexed;
	struct symbol_index index;
	uint64_t distance;       /* by which its addresses were moved */
	struct shared_map found; /* symbols by their place in the index */
};

/* @pretty may be NULL. */
void symbol_table_init(struct symbol_table *t, symbol_pretty_fn *pretty);
void symbol_table_init_index(struct symbol_table *t, const struct symbol_index *index);
void symbol_table_done(struct symbol_table *t);

/* Adds a symbol that is called as @length bytes at @name. @end equal to @start is unknown. */
void symbol_table_add(struct symbol_table *t, struct symbol s, size_t length);

/* As symbol_table_add(), with a name that ends in a NUL and outlives the table. */
void symbol_table_add_borrowed(struct symbol_table *t, struct symbol s);

/* Makes room for about @n more symbols. */
void symbol_table_expect(struct symbol_table *t, size_t n);

enum symbol_rules {
	SYMBOL_RULES_LINKER, /* unknown ends are at the next symbol; the best of aliases stays */
	SYMBOL_RULES_JIT,    /* ends are what they are; what came later is newer code */
};

/*
 * Sorts, finds ends and drops aliases by @rules. O(n log n); O(n) if they were added in order. May
 * be called again after adding from another source, whose symbols then count as later ones.
 */
void symbol_table_settle(struct symbol_table *t, enum symbol_rules rules);

/* The last of the settled symbols that begin before @addr ends there at the latest. O(log n). */
void symbol_table_end_before(struct symbol_table *t, uint64_t addr);

/* From now on it is noted what is added and dropped, for symbol_table_arrange(). */
void symbol_table_remember(struct symbol_table *t);

/* The last step: makes lookups find, where symbols overlap, what Linux's perf would. */
void symbol_table_arrange(struct symbol_table *t);

/* Adds @distance, which may be negative in effect, to every address of a settled table. */
void symbol_table_move(struct symbol_table *t, uint64_t distance);

/* Where the lowest symbol of a settled table begins; false: it has none. */
bool symbol_table_start(const struct symbol_table *t, uint64_t *ret);

/* The symbol that @addr is in, or NULL. O(log n). */
const struct symbol *symbol_table_find(struct symbol_table *t, uint64_t addr);

/* The same for the target of a call: where symbols overlap, the one that begins there. */
const struct symbol *symbol_table_find_called(struct symbol_table *t, uint64_t addr);

/* The first symbol whose name, as it stands in the table, is @name; or NULL. O(n). */
const struct symbol *symbol_table_find_name(struct symbol_table *t, const char *name);
