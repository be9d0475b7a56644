/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How many samples an interpreter has that did not name the functions of its program: they show
 * the interpreter, and not what it ran.
 */
#include <stdbool.h>
#include <stdint.h>

#include "symbol/language-runtime.h"

struct frames;
struct stacks;

struct runtime_share {
	uint64_t total;
	uint64_t samples[RUNTIMES]; /* in the interpreter's own code */
	unsigned minor;             /* of Python's version; 0: unknown */
	bool names_code;            /* some code that was made at run time has names */
};

/* Adds what lies at the nodes of @s, as missing_symbols_count() does. */
void runtime_share_count(struct runtime_share *r, const struct frames *frames,
			 const struct stacks *s, const bool *shown);

/* The interpreter with a good part of the samples and without names; RUNTIME_NONE: there is none.
 */
enum language_runtime runtime_share_silent(const struct runtime_share *r);
