/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables that can be seen at a place in the code, where each is there, and of which type.
 */
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
	VARIABLE_MEMORY,   /* is in memory, at what @steps lead to */
	VARIABLE_ADDRESS,  /* is the address itself that @steps lead to, which is nowhere */
	VARIABLE_CONSTANT, /* is @value */
	VARIABLE_THREAD,   /* is each thread's own */
	VARIABLE_UNFRAMED, /* in the stack frame, which is not made yet, or no more */
	VARIABLE_OTHER,    /* computed in a way that @steps cannot express */
};

#define VARIABLE_STEPS_MAX  6
#define VARIABLE_PIECES_MAX 8

/*
 * Where a variable, or a piece of one, is. Steps begin at a register or a link address: the first
 * is added; for each further one the word there is read, and it is added to that.
 */
struct variable_place {
	enum variable_where where;
	bool is_static; /* begins at @addr, not at @reg */
	unsigned reg;   /* DWARF's number */
	uint64_t addr;
	int64_t steps[VARIABLE_STEPS_MAX];
	size_t n_steps;
	uint64_t value;
	uint64_t offset, size; /* of a piece, in the variable, in bytes */
};

struct debug_variable {
	const char *name;
	const struct c_type *type;
	struct variable_place place;                       /* all of it, or the first piece */
	struct variable_place pieces[VARIABLE_PIECES_MAX]; /* of one that is in several places */
	size_t n_pieces;                                   /* 0: in one */
	bool is_parameter;
	bool is_inlined;  /* of another function, that was inlined here into the one of the place */
	bool is_extern;   /* a global one of the unit */
	bool is_external; /* other units can see it (DW_AT_external) */
	bool is_declared; /* lies elsewhere, under its name */
	bool is_plain;    /* its location begins with a register or an address, or it has a value
			     (DW_AT_const_value); else it is computed, or nowhere */
	bool is_elsewhere; /* it has no location here, but a plain one at another address */
	uint64_t entry;    /* in .debug_info */
	uint64_t scope;    /* entry of the function or block that it is of */
};

/*
 * The variable called @name at @place, the innermost; globals of the unit last. -ENOENT: none. With
 * @similar, which may be NULL, names that are there are considered.
 */
int debug_variable_find(struct debug_info *d, const struct debug_place *place, const char *name,
			struct debug_variable *ret, struct similar *similar);

/*
 * Calls @each for all of them, in the order of the debug information, @with_externs the unit's too,
 * until non-zero, which is returned. Inner ones may have the name of an outer one.
 */
int debug_variables_each(struct debug_info *d, const struct debug_place *place, bool with_externs,
			 int (*each)(void *arg, const struct debug_variable *v), void *arg);

/*
 * Calls @each for the ranges of addresses at which @v has a place, in order: those of a list, or
 * all of its function or block.
 */
void debug_variable_ranges(struct debug_info *d, const struct debug_variable *v,
			   void (*each)(void *arg, uint64_t start, uint64_t end), void *arg);
