/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The settled symbol table of a program or library, kept in a file (base/sealed-file.h), so that
 * the next run maps it instead of reading and sorting the file's symbols.
 */
#include <stdint.h>

/* The last byte is the version of the layout. */
#define KEPT_SYMBOLS_KIND UINT64_C(0x73796d626f6c7302)

struct symbol_table;

/*
 * Makes the empty @t a view of the table at @path, if it was made from the file with @identity.
 * -ENOENT, -ESTALE, -EBADMSG, ...: there is no usable table.
 */
int kept_symbols_open(const char *path, uint64_t identity, struct symbol_table *t);

/* Writes the settled @t. Tables that can be read as quickly as they can be opened are left out. */
int kept_symbols_write(const char *path, uint64_t identity, struct symbol_table *t);
