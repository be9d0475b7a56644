/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * DWARF's stack machine, as far as unwind rules make use of it: numbers, registers, memory. What
 * asks for more (variables, types, threads) has no answer. It always comes to an end.
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

/* What an expression can ask for. Each gives its value, or false. */
struct expression_env {
	bool (*read_register)(void *arg, uint64_t reg, uint64_t *ret);
	bool (*read_memory)(void *arg, uint64_t addr, unsigned size, uint64_t *ret);
	void *arg;
};

/* What @e comes to, beginning with *@first (unless NULL) on the stack. False: nothing. */
bool expression_value(const struct expression *e, const struct expression_env *env,
		      const uint64_t *first, uint64_t *ret);
