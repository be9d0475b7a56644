/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * DWARF's stack machine, as far as unwind rules use it: numbers, registers, memory. Expressions
 * that need variables, types or threads fail. Evaluation always ends.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression {
	const uint8_t *bytes;
	size_t size;
	bool swap;  /* its numbers are in the other byte order */
	bool is_64; /* addresses have 8 bytes */
};

/* The source of registers and memory for an expression; false: unknown. */
struct expression_env {
	bool (*read_register)(void *arg, uint64_t reg, uint64_t *ret);
	bool (*read_memory)(void *arg, uint64_t addr, unsigned size, uint64_t *ret);
	void *arg;
};

/* Gives the value of @e, evaluated with *@first (unless NULL) on the stack. False: it has none. */
bool expression_value(const struct expression *e, const struct expression_env *env,
		      const uint64_t *first, uint64_t *ret);
