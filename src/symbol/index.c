/* SPDX-License-Identifier: MIT */
#include "symbol/index.h"

#include <string.h>

#include "base/bisect.h"
#include "symbol/symbol.h"

static uint64_t end_of(const struct symbol_index *x, size_t i)
{
	return i + 1 < x->n ? x->starts[i + 1] : x->end;
}

static const char *name_of(const struct symbol_index *x, size_t i)
{
	return x->names[i] < x->text_size ? x->text + x->names[i] : "";
}

size_t symbol_index_find(const struct symbol_index *x, uint64_t addr)
{
	size_t n = BISECT(i, x->n, x->starts[i] <= addr);

	return n && addr < end_of(x, n - 1) ? n - 1 : SYMBOL_INDEX_NONE;
}

size_t symbol_index_find_name(const struct symbol_index *x, const char *name)
{
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(name_of(x, i), name))
			return i;
	return SYMBOL_INDEX_NONE;
}

struct symbol symbol_index_at(const struct symbol_index *x, size_t i)
{
	return (struct symbol){
		.start = x->starts[i],
		.end = end_of(x, i),
		.name = name_of(x, i),
		.binding = x->bindings[i],
	};
}
