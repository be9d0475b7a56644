/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The procedure linkage table: stubs without symbols of their own. Each jumps through a word
 * of the GOT whose relocation names the function. In .plt and .plt.sec the n-th stub takes the n-th
 * word that .rela.plt fills; those of .plt.got tell by their code.
 */
#include <stdbool.h>
#include <stdint.h>

#include "elf/symbols.h"

/*
 * Calls @fn for each stub, named "FUNCTION@plt"; only "@plt" if the function is chosen when the
 * program starts. The code before the first stub, which looks functions up, is ".plt"; a table that
 * is not understood is one symbol with the name of its section. -ENODATA: there is no such table.
 */
int plt_read(struct elf_file *f, elf_symbol_fn *fn, void *arg);

/* The link address of the lowest of these sections. False: there is none. */
bool plt_start(struct elf_file *f, uint64_t *ret);
