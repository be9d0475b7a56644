/* SPDX-License-Identifier: MIT */
#include "symbol/index.h"

#include <string.h>

#include "base/bisect.h"
#include "symbol/symbol.h"
#include "symbol/tree.h"

/* Even a red-black tree of all the symbols that fit into memory is not as deep as this. */
#define DEPTH_MAX 128

static uint64_t symbol_index_end_of(const struct symbol_index *x, size_t i)
{
	if (x->ends)
		return x->ends[i];
	return i + 1 < x->n ? x->starts[i + 1] : x->end;
}

static const char *symbol_index_name_of(const struct symbol_index *x, size_t i)
{
	return x->names[i] < x->text_size ? x->text + x->names[i] : "";
}

/* True if symbol @i contains @addr. A symbol without an end is found at its start. */
static bool symbol_index_reaches(const struct symbol_index *x, size_t i, uint64_t addr)
{
	return addr < symbol_index_end_of(x, i) || addr == x->starts[i];
}

static size_t symbol_index_find_in_tree(const struct symbol_index *x, uint64_t addr)
{
	uint32_t i = x->root;

	for (unsigned depth = 0; depth < DEPTH_MAX && i < x->n; depth++) {
		if (addr < x->starts[i])
			i = x->tree[i].left;
		else if (symbol_index_reaches(x, i, addr))
			return i;
		else
			i = x->tree[i].right;
	}
	return SYMBOL_INDEX_NONE;
}

/* Returns how many symbols begin at @addr or before. */
static size_t symbol_index_count_until(const struct symbol_index *x, uint64_t addr)
{
	return BISECT(i, x->n, x->starts[i] <= addr);
}

size_t symbol_index_find(const struct symbol_index *x, uint64_t addr)
{
	size_t n = symbol_index_count_until(x, addr);

	if (n && x->reach && x->reach[n - 1] > addr)
		return symbol_index_find_in_tree(x, addr);
	return n && symbol_index_reaches(x, n - 1, addr) ? n - 1 : SYMBOL_INDEX_NONE;
}

size_t symbol_index_find_called(const struct symbol_index *x, uint64_t addr)
{
	size_t n = symbol_index_count_until(x, addr);

	return n && x->starts[n - 1] == addr ? n - 1 : symbol_index_find(x, addr);
}

size_t symbol_index_find_name(const struct symbol_index *x, const char *name)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(symbol_index_name_of(x, i), name))
			return i;
	return SYMBOL_INDEX_NONE;
}

struct symbol symbol_index_at(const struct symbol_index *x, size_t i)
{
	return (struct symbol){
		.start = x->starts[i],
		.end = symbol_index_end_of(x, i),
		.name = symbol_index_name_of(x, i),
		.binding = (char)(x->bindings[i] & ~SYMBOL_INDEX_GUESSED),
		.is_guessed = x->bindings[i] & SYMBOL_INDEX_GUESSED,
	};
}
