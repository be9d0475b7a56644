/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts the samples of an interpreter that did not name the functions of its program: they show
 * the interpreter, and not the code it ran.
 */
#include <stdbool.h>
#include <stdint.h>

#include "symbol/language-runtime.h"

struct frames;
struct stacks;

struct runtime_share {
	uint64_t total;
	uint64_t samples[RUNTIME_KINDS]; /* in the interpreter's own code */
	bool names_code;                 /* some code of its language has names */
};

/* Adds the samples at the nodes of @s, as missing_symbols_count() does. */
void runtime_share_count(struct runtime_share *r, const struct frames *frames,
			 const struct stacks *s, const bool *shown);

/*
 * Returns the interpreter that has a large part of the samples and no names; RUNTIME_KIND_NONE:
 * there is none.
 */
enum runtime_kind runtime_share_silent(const struct runtime_share *r);
