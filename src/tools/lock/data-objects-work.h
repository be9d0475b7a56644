/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables of a program or library: what a data address is called, such as that of a lock.
 *
 * Functions are found by their offset in the file (symbol/symbolizer.h). Variables are found by
 * their link address, as those of .bss are in no file.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct data_objects;
struct image;
struct symbol;

/*
 * Reads the variables of @im, an IMAGE_USER: of its symbol table, that of its debug file, or its
 * dynamic symbols. Never NULL: what cannot be read has none.
 */
struct data_objects *data_objects_load(struct image *im);
void data_objects_free(struct data_objects *o);
DEFINE_FREEP(data_objects)

/*
 * The variable at the runtime address @addr, or NULL, if the file's byte at @offset is mapped at
 * @start. *@ret_addr is the link address, for the offset in the variable.
 */
const struct symbol *data_objects_find(struct data_objects *o, uint64_t start, uint64_t offset,
				       uint64_t addr, uint64_t *ret_addr);
