/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables of a program or library: gives names to data addresses, such as that of a lock.
 *
 * Functions are looked up by their offset in the file (symbol/symbolizer.h). Variables are looked
 * up by their link address, because those of .bss are not in the file.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct data_objects;
struct image;
struct symbol;

/*
 * Reads the variables of @im, an IMAGE_USER: from its symbol table, that of its debug file, or its
 * dynamic symbols. Never returns NULL: a file that cannot be read has no variables.
 */
struct data_objects *data_objects_load(struct image *im);
void data_objects_free(struct data_objects *o);
DEFINE_FREEP(data_objects)

/*
 * Returns the variable at the runtime address @addr, or NULL. The file's byte at @offset is mapped
 * at @start. *@ret_addr becomes the link address, from which the offset in the variable is
 * computed.
 */
const struct symbol *data_objects_find(struct data_objects *o, uint64_t start, uint64_t offset,
				       uint64_t addr, uint64_t *ret_addr);
