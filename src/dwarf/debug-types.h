/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The types that debug information describes, in the form of base/c-type.h, for the files of this
 * layer. They are read when they are needed and live as long as their debug_info.
 */
#include <elfutils/libdw.h>
#include <stdbool.h>

struct c_type;
struct debug_info;
struct debug_types;

/*
 * Returns the type of @die (of a variable, or a function's result); NULL: void, or it cannot be
 * read.
 */
const struct c_type *debug_type_of(struct debug_info *d, Dwarf_Die *die);

/*
 * Moves @die to its next sibling. Only forward, because lists of entries in damaged files may be
 * circular.
 */
bool debug_next(Dwarf_Die *die);

void debug_types_free(struct debug_types *t);
