/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The procedure linkage table: stubs that have no symbols. Each jumps through a word of the GOT,
 * whose relocation names the function. In .plt and .plt.sec the n-th stub uses the n-th word that
 * .rela.plt fills; in .plt.got the code of the stub contains the word's address.
 */
#include <stdbool.h>
#include <stdint.h>

#include "elf/symbol.h"

struct elf_file;

/*
 * Calls @fn for each stub, named "FUNCTION@plt", or "@plt" for an ifunc. The header before the
 * first stub, which binds functions lazily, is ".plt". A table that is not understood is one symbol
 * with the name of its section. -ENODATA: there is no such table.
 */
int plt_read(struct elf_file *f, elf_symbol_fn *fn, void *arg);

/* Finds the link address of the lowest of these sections. False: there is none. */
bool plt_start(struct elf_file *f, uint64_t *ret);
