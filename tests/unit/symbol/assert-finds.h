/* SPDX-License-Identifier: MIT */
#pragma once
#include "symbol/table.h"

/* Checks that the symbol at @addr is called @name; NULL: there is none. */
static inline void assert_finds(struct symbol_table *t, uint64_t addr, const char *name)
{
	const struct symbol *s = symbol_table_find(t, addr);

	if (!name) {
		assert_null(s);
		return;
	}
	assert_non_null(s);
	assert_string_equal(s->name, name);
}
