/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols for functions of an image that its symbol table does not have: inlined functions, one
 * symbol for each name, and functions that only DWARF knows.
 *
 * `struct source_names n = { .pretty = fn };` is empty; source_names_done() releases all symbols.
 * One thread at a time. Names are demangled as those of the image's table.
 */
#include "base/arena.h"
#include "base/intern.h"
#include "base/u64-map.h"
#include "symbol/table.h"

struct source_names {
	symbol_pretty_fn *pretty; /* or NULL */
	struct arena arena;
	struct intern texts;
	struct u64_map by_raw;   /* inlined functions by the address of their mangled name */
	struct u64_map by_text;  /* inlined functions by their demangled name in @texts */
	struct u64_map by_start; /* functions with code, by their start */
};

void source_names_done(struct source_names *n);

/* The symbol of the inlined function @raw, a mangled name that outlives @n; NULL is "[unknown]". */
const struct symbol *source_names_inlined(struct source_names *n, const char *raw);

/* The symbol of the function @s, which has code of its own. */
const struct symbol *source_names_real(struct source_names *n, const struct symbol *s);
