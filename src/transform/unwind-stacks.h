/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts samples with registers and a copy of the stack to samples with a plain call chain, as if
 * they had been unwound while recording: see transform/unwound-sample.h.
 *
 * Records must come in the order of time.
 */
#include "base/cleanup.h"

struct session;
struct transform;
struct unwind_stacks;

/* @s is borrowed. session_unwind_counts() counts the results of unwinding. */
struct unwind_stacks *unwind_stacks_new(const struct session *s);
void unwind_stacks_free(struct unwind_stacks *u);
DEFINE_FREEP(unwind_stacks)

struct transform *unwind_stacks_transform(struct unwind_stacks *u);
