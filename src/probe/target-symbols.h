/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The list of all symbols of a target, including aliases, by address. The symbols come from the
 * kernel's list, or from ELF files. Symbols at one address stay in the order of their source.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "probe/probe-target.h"

struct elf_file;

struct target_symbols {
	struct probe_symbol *items;
	size_t n, room;
	struct arena names; /* the names, and the text that contains them */
};

void target_symbols_done(struct target_symbols *l);

/*
 * Reads the symbols of the list in @path (/proc/kallsyms): all, or those of the module @module.
 * -EPERM: addresses are hidden; -ENODATA: there are none.
 */
int target_symbols_read_list(struct target_symbols *l, const char *path, const char *module);

/* Reads the symbols of @symbols; if @runtime is not NULL, its dynamic symbols and PLT stubs too. */
int target_symbols_read_elf(struct target_symbols *l, struct elf_file *symbols,
			    struct elf_file *runtime);

/* Sorts the symbols. To be called once, after all have been read. */
void target_symbols_settle(struct target_symbols *l);

/* Returns the symbol that contains @addr, functions first. NULL: there is none. */
const struct probe_symbol *target_symbols_find(const struct target_symbols *l, uint64_t addr);

/*
 * True if the symbol @name matches what the user typed (NULL: anything). "malloc" also matches
 * malloc@@GLIBC_2.17 and malloc@plt.
 */
bool symbol_name_is(const char *name, const char *typed);
