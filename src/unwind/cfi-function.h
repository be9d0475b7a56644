/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rules of one function: what its FDE says, run once and compiled.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "unwind/cfi-rules.h"

struct cfi_section;

struct cfi_function_row {
	uint32_t start; /* from the function's; the next row's start is the end */
	struct unwind_rule rule;
};

struct cfi_function {
	uint64_t start, end; /* link addresses; equal: nothing is known */
	size_t n;
	const struct cfi_function_row *rows;
};

/* What compiling needs: where it puts what is to stay, and room for rows that is used again. */
struct cfi_compiler {
	unsigned fp_register; /* the frame pointer's */
	struct arena arena;
	struct cfi_function_row *items;
	size_t n, room;
};

void cfi_compiler_done(struct cfi_compiler *c);

/* What FDE @number of @s says. It lives as long as @c. */
struct cfi_function *cfi_function_compile(struct cfi_compiler *c, const struct cfi_section *s,
					  size_t number);

/* The row for the code @at bytes from the function's start; NULL: there is none. */
const struct cfi_function_row *cfi_function_row(const struct cfi_function *f, uint64_t at);
