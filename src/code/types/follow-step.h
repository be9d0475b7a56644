/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One instruction: the type of its memory operand, and what registers hold behind it. Private to
 * code/types/follow*.c.
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

/* What @reg holds at @pc: a variable, or what was followed to here. */
struct held follow_register(const struct follow_context *c, const struct held_state *s, uint8_t reg,
			    uint64_t pc);

/* A block begins at @pc: what variables are in registers there. */
void follow_variables(const struct follow_context *c, struct held_state *s, uint64_t pc);

/* The same of variable @v alone, which begins to be there. */
void follow_variable(const struct follow_context *c, struct held_state *s,
		     const struct typed_variable *v, uint64_t pc);

/* Fills in @ret for the instruction @a at @pc, before it is executed. */
void follow_operand(const struct follow_context *c, const struct held_state *s,
		    const struct code_access *a, uint64_t pc, struct followed_access *ret);

/* Where on the stack the operand of @a is, as HELD_FRAME counts; false: elsewhere. */
bool follow_on_frame(const struct follow_context *c, const struct held_state *s,
		     const struct code_access *a, uint64_t pc, int64_t *ret);

/*
 * The content of the memory that @a stores into, @from bytes after the operand's beginning. False:
 * it is not known.
 */
bool follow_stored(const struct follow_context *c, const struct held_state *s,
		   const struct code_access *a, uint64_t pc, int64_t from, struct held *ret);

/* The call that returns to @pc, or NULL. */
const struct typed_call *follow_call(const struct follow_context *c, uint64_t pc);

/* Executes it. */
void follow_step(const struct follow_context *c, struct held_state *s, const struct code_access *a,
		 uint64_t pc);
