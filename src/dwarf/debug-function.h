/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables of one function, at all its addresses: the register or stack slot of each, with the
 * range of its code and its type; the result types of the functions that it calls; and the global
 * variables of its unit.
 *
 * For code that follows types. dwarf/debug-variables.h answers for one address, with everything
 * that a location may contain; here only what leads to a type counts. Addresses are link addresses.
 * Types live as long as the debug_info. One thread at a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct c_type;
struct debug_info;

enum typed_where {
	TYPED_REGISTER,     /* the variable is in @reg */
	TYPED_SUM,          /* the variable's value is @reg + @offset */
	TYPED_AT_REGISTER,  /* it is in memory, at @reg + @offset */
	TYPED_FRAME,        /* it is in memory, at the CFA + @offset */
	TYPED_STATIC,       /* it is in memory, at the address @offset */
	TYPED_THREAD_LOCAL, /* it is in the thread-local storage of the image, at @offset */
};

struct typed_variable {
	uint64_t start, end; /* the code for which this is valid */
	enum typed_where where;
	uint8_t reg;   /* DWARF's number */
	uint8_t depth; /* number of blocks and inlined functions around it */
	int64_t offset;
	const struct c_type *type;
};

/* A call that returns to @addr. */
struct typed_call {
	uint64_t addr;
	const struct c_type *type; /* type of its result; NULL: none */
	bool is_final;             /* it never returns */
};

struct code_range {
	uint64_t start, end;
};

struct debug_function_types {
	uint64_t entry;                /* entry point */
	const struct c_type *returned; /* NULL: nothing */
	struct {
		struct code_range *items;
		size_t n, room;
	} ranges; /* ranges of its code */
	struct {
		struct typed_variable *items;
		size_t n, room;
	} variables; /* by @start; static and thread-local ones are here, too */
	struct {
		struct typed_call *items;
		size_t n, room;
	} calls; /* sorted by address */
};

/*
 * Reads the types of the function at @addr. -ENODATA: no unit has code at @addr; -ENOENT: the unit
 * has no function there.
 */
int debug_function_types_read(struct debug_info *d, uint64_t addr,
			      struct debug_function_types *ret);
void debug_function_types_done(struct debug_function_types *f);

/* Returns the result type of the function that begins at @addr; NULL: none, or it is not known. */
const struct c_type *debug_returned_type(struct debug_info *d, uint64_t addr);

/* True if the function at @addr is known never to return. */
bool debug_never_returns(struct debug_info *d, uint64_t addr);

/*
 * Returns the type of the global variable at @addr, from the unit that has code at @pc. If that
 * unit only declares variables, or another one has them, @name is that of the symbol at @start that
 * contains @addr, or NULL. *@ret_start is the beginning of the variable. NULL: not known.
 */
const struct c_type *debug_static_type(struct debug_info *d, uint64_t pc, uint64_t addr,
				       const char *name, uint64_t start, uint64_t *ret_start);

/* Returns the same for a variable called @name that the unit only declares, at any address. */
const struct c_type *debug_named_type(struct debug_info *d, uint64_t pc, const char *name);

/* Returns the same for the unit's thread-local variable at @offset of thread-local storage. */
const struct c_type *debug_thread_type(struct debug_info *d, uint64_t pc, uint64_t offset,
				       uint64_t *ret_start);
