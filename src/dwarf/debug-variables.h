/* SPDX-License-Identifier: MIT */
#pragma once
/* The variables in scope at a place in the code, with their places and types. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct c_type;
struct debug_info;
struct debug_place;
struct similar;

enum variable_where {
	VARIABLE_NOWHERE,  /* optimised out at this address */
	VARIABLE_REGISTER, /* is in @reg */
	VARIABLE_MEMORY,   /* is in memory, at the address to which @steps lead */
	/* is the address to which @steps lead: the value itself is not in memory */
	VARIABLE_ADDRESS,
	VARIABLE_CONSTANT, /* is @value */
	VARIABLE_THREAD,   /* is thread-local */
	/* is in the stack frame, which does not exist yet, or no longer exists */
	VARIABLE_UNFRAMED,
	VARIABLE_OTHER, /* computed in a way that @steps cannot express */
};

#define VARIABLE_STEPS_MAX  6
#define VARIABLE_PIECES_MAX 8

/*
 * The place of a variable, or of a piece of one. Start with a register or a link address and add
 * the first step; for each further step, read the word there and add the step.
 */
struct variable_place {
	enum variable_where where;
	bool is_static; /* begins at @addr, not at @reg */
	unsigned reg;   /* DWARF's number */
	uint64_t addr;
	int64_t steps[VARIABLE_STEPS_MAX];
	size_t n_steps;
	uint64_t value;
	uint64_t offset, size; /* range of a piece of the variable, in bytes */
};

struct debug_variable {
	const char *name;
	const struct c_type *type;
	struct variable_place place; /* place of the whole variable, or of its first piece */
	/* places of a variable in several pieces */
	struct variable_place pieces[VARIABLE_PIECES_MAX];
	size_t n_pieces; /* 0: it is in one piece */
	bool is_parameter;
	bool is_inlined;   /* its function was inlined into that of the place */
	bool is_extern;    /* a global variable of the unit */
	bool is_external;  /* other units can see it (DW_AT_external) */
	bool is_declared;  /* declared here, defined elsewhere */
	bool is_plain;     /* its location begins with a register or an address, or it has a value
			      (DW_AT_const_value); else it is computed, or nowhere */
	bool is_elsewhere; /* it has no location here, but a plain one at another address */
	uint64_t entry;    /* offset of its entry in .debug_info */
	uint64_t scope;    /* entry of the function or block that declares it */
};

/*
 * Finds the innermost variable called @name at @place; globals of the unit come last. -ENOENT:
 * there is none. Names of other variables are passed to @similar, which may be NULL.
 */
int debug_variable_find(struct debug_info *d, const struct debug_place *place, const char *name,
			struct debug_variable *ret, struct similar *similar);

/*
 * Calls @each for all variables in scope, in the order of the debug information, @with_externs also
 * for the unit's globals, until it returns non-zero, which is returned. An inner variable may have
 * the name of an outer one.
 */
int debug_variables_each(struct debug_info *d, const struct debug_place *place, bool with_externs,
			 int (*each)(void *arg, const struct debug_variable *v), void *arg);

/*
 * Calls @each for the ranges of addresses at which @v has a location, in order: those of its
 * location list, or of its function or block.
 */
void debug_variable_ranges(struct debug_info *d, const struct debug_variable *v,
			   void (*each)(void *arg, uint64_t start, uint64_t end), void *arg);
