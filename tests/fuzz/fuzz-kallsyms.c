/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes lists of kernel symbols, which may come with a profile from any machine. Reading ends,
 * tables are in order, and every symbol is found at its start.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(struct symbol_table *t)
{
	uint64_t before = 0;

	for (size_t i = 0; i < t->index.n; i++) {
		uint64_t start = t->index.starts[i];
		const struct symbol *found = symbol_table_find(t, start);

		if (start <= before || !found || found->start != start)
			abort();
		before = start;
	}
}

static void check_lines(const char *text, size_t size)
{
	struct kallsyms_line l;

	for (const char *at = text, *end = text + size; kallsyms_next(&at, end, &l);) {
		if (!l.name_length || l.name < text || l.name + l.name_length > end)
			abort();
		if (l.module && (!l.module_length || l.module + l.module_length > end))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = NULL;
	_cleanup_(freep) char *text = xmalloc(size + 1);
	const char *module;
	struct symbol_table *t;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_lines(text, size);
	if (kallsyms_parse(text, size, "_stext", &k) < 0)
		return 0;
	check_table(kallsyms_kernel(k));
	for (size_t i = 0; (t = kallsyms_module_at(k, i, &module)); i++) {
		if (!module)
			abort();
		check_table(t);
	}
	return 0;
}
