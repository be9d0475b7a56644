/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables of a function by location: which one is in a register at an address, and which one
 * has a byte of the stack frame.
 */
#include <stdbool.h>
#include <stdint.h>

#include "arch/access.h"
#include "base/range-map.h"
#include "code/types/held.h"
#include "code/types/object.h"

struct debug_function_types;
struct typed_variable;

struct scope_variables {
	const struct debug_function_types *function;
	struct range_map regs[ACCESS_REGISTERS]; /* numbers of variables by address of code */
	struct held *held; /* contents of the register of each variable, by number */
	struct {
		uint32_t *items;
		size_t n, room;
	} memory; /* numbers of variables at fixed places in memory */
};

/* Prepares @v for the function @f, which must outlive @v. */
void scope_variables_init(struct scope_variables *v, const struct debug_function_types *f);
void scope_variables_done(struct scope_variables *v);

/* Returns the contents of the variable in @reg at @pc; HELD_UNKNOWN: no variable is in it. */
struct held scope_variables_in(const struct scope_variables *v, uint8_t reg, uint64_t pc);

/* Finds the innermost variable at @offset of the frame at @pc. */
bool scope_variables_frame(const struct scope_variables *v, uint64_t pc, int64_t offset,
			   struct object_place *ret);

/* Finds the only variable that is ever at @offset of the frame, in any scope. */
bool scope_variables_lone(const struct scope_variables *v, int64_t offset,
			  struct object_place *ret);

/*
 * Does the same as scope_variables_frame() for @offset from register @reg, for variables that DWARF
 * finds through it.
 */
bool scope_variables_at(const struct scope_variables *v, uint64_t pc, uint8_t reg, int64_t offset,
			struct object_place *ret);

/* Do the same for the address @addr, and for an offset of the thread's storage. */
bool scope_variables_static(const struct scope_variables *v, uint64_t pc, uint64_t addr,
			    struct object_place *ret);
bool scope_variables_thread(const struct scope_variables *v, uint64_t offset,
			    struct object_place *ret);
