/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One instruction: the type of its memory operand, and the contents of registers after it. Private
 * to code/types/follow*.c.
 */
#include <stdbool.h>
#include <stdint.h>

#include "code/types/held.h"
#include "code/types/object.h"
#include "code/types/scope-variables.h"

struct follow_source;
struct followed_access;

struct follow_context {
	const struct follow_source *source;
	const struct debug_function_types *function;
	struct scope_variables variables;
};

/* Returns the contents of @reg at @pc: a variable, or the value that was followed to here. */
struct held follow_register(const struct follow_context *c, const struct held_state *s, uint8_t reg,
			    uint64_t pc);

/* Sets the variables that are in registers at @pc, where a block begins. */
void follow_variables(const struct follow_context *c, struct held_state *s, uint64_t pc);

/* Does the same for variable @v alone, whose location begins there. */
void follow_variable(const struct follow_context *c, struct held_state *s,
		     const struct typed_variable *v, uint64_t pc);

/* Fills in @ret for the instruction @a at @pc, before it is executed. */
void follow_operand(const struct follow_context *c, const struct held_state *s,
		    const struct code_access *a, uint64_t pc, struct followed_access *ret);

/*
 * Finds the place of the operand of @a on the stack, as HELD_FRAME counts; false: it is elsewhere.
 */
bool follow_on_frame(const struct follow_context *c, const struct held_state *s,
		     const struct code_access *a, uint64_t pc, int64_t *ret);

/*
 * Gives the contents of the memory into which @a stores, @from bytes after the operand's beginning.
 * False: not known.
 */
bool follow_stored(const struct follow_context *c, const struct held_state *s,
		   const struct code_access *a, uint64_t pc, int64_t from, struct held *ret);

/* Returns the call that returns to @pc, or NULL. */
const struct typed_call *follow_call(const struct follow_context *c, uint64_t pc);

/* Executes the instruction @a at @pc: changes @s. */
void follow_step(const struct follow_context *c, struct held_state *s, const struct code_access *a,
		 uint64_t pc);
