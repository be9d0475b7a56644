/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The procedure linkage table: stubs without symbols of their own. The n-th stub belongs to the
 * n-th relocation of .rela.plt, which names the function it calls.
 */
#include "elf/elf-symbols.h"

/*
 * Calls @fn for each stub, named "FUNCTION@plt"; only "@plt" if the function is chosen when the
 * program starts. -ENODATA: there is no such table.
 */
int plt_read(struct elf_file *f, elf_symbol_fn *fn, void *arg);
