/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The types of registers at the entry of a function, derived from the variables into which their
 * values are stored. Private to code/types/follow*.c.
 *
 * DWARF describes the parameters of unoptimised code in memory only. clang and rustc keep copies of
 * their registers in further stack slots, before and after the store into the variable, and use
 * these copies. The type of the variable is that of the value in all of them.
 */
#include <stddef.h>
#include <stdint.h>

#include "arch/access.h"
#include "code/types/held.h"

struct follow_context;

struct followed_step {
	uint64_t addr;
	struct code_access access;
};

/*
 * Processes the @n instructions @steps, at the first of which the function is entered with @entry,
 * and sets the registers of @entry that are still unknown.
 */
void argument_types_learn(const struct follow_context *c, const struct followed_step *steps,
			  size_t n, struct held_state *entry);
