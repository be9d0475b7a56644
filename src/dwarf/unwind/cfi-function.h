/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The unwind rules of one function: its FDE's instructions are run once and compiled to rows.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "dwarf/unwind/cfi-rules.h"

struct cfi_section;

struct cfi_function_row {
	uint32_t
		start; /* counted from the function's start; a row ends where the next one starts */
	struct unwind_rule rule;
};

struct cfi_function {
	uint64_t start, end; /* link addresses; equal: nothing is known */
	size_t n;
	const struct cfi_function_row *rows;
};

/* The arena that contains compiled functions, and a reusable buffer for rows. */
struct cfi_compiler {
	unsigned fp_register; /* DWARF's number of the frame pointer */
	struct arena arena;
	struct cfi_function_row *items;
	size_t n, room;
};

void cfi_compiler_done(struct cfi_compiler *c);

/* Compiles FDE @number of @s. The result lives as long as @c. */
struct cfi_function *cfi_function_compile(struct cfi_compiler *c, const struct cfi_section *s,
					  size_t number);

/*
 * Finds the rule that cfi_function_compile() would give for the code at @addr, without keeping it:
 * *@ret is the function without its rows, and *@ret_rule the rule, without its detail. False: the
 * function has so many instructions that it should be compiled instead.
 */
bool cfi_function_glance(const struct cfi_section *s, size_t number, unsigned fp_register,
			 uint64_t addr, struct cfi_function *ret, struct unwind_rule *ret_rule);

/* Returns the row for the code @at bytes from the function's start; NULL: there is none. */
const struct cfi_function_row *cfi_function_row(const struct cfi_function *f, uint64_t at);
