/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions of one image that its symbol table does not have: those that were inlined, one symbol
 * for each name, and those that only DWARF knows.
 *
 * `struct source_names n = { .pretty = fn };` has none; source_names_done() releases all symbols.
 * One thread at a time. Mangled names are made readable as those of the image's table are.
 */
#include "base/arena.h"
#include "base/intern.h"
#include "base/u64-map.h"
#include "symbol/table.h"

struct source_names {
	symbol_pretty_fn *pretty; /* or NULL */
	struct arena arena;
	struct intern texts;
	struct u64_map by_raw;   /* inlined ones by where their mangled name lies in the file */
	struct u64_map by_text;  /* the same by their readable name in @texts */
	struct u64_map by_start; /* real ones */
};

void source_names_done(struct source_names *n);

/* The symbol for what is inlined under the name @raw, which outlives @n; NULL is "[unknown]". */
const struct symbol *source_names_inlined(struct source_names *n, const char *raw);

/* The symbol for the real function @s. */
const struct symbol *source_names_real(struct source_names *n, const struct symbol *s);
