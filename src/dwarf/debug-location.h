/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Location expressions, as chains of additions and reads that begin at a register or an address
 * (struct variable_place). For the files of this layer.
 */
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_info;
struct debug_variable;

/* The address whose variables are queried. */
struct location_context {
	struct debug_info *info;
	Dwarf_Die function; /* with code, around @addr */
	uint64_t addr;
	bool at_entry; /* @addr is the first instruction of the function */
};

/* Sets place, pieces and flags of @v from its entry @die. */
void debug_location_read(const struct location_context *c, Dwarf_Die *die,
			 struct debug_variable *v);

/* True if the @n operations are the place of a thread-local variable. */
bool debug_location_is_thread_local(const Dwarf_Op *ops, size_t n);

/*
 * Reads the word of .debug_addr that @op, of the location @a, refers to: an address, or a number.
 */
bool debug_location_indexed(Dwarf_Attribute *a, const Dwarf_Op *op, uint64_t *ret);
