/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waiting times as boxes: whose time it is, what for (analysis/wait-kind.h), the stack. On top of
 * it, if that was recorded, the stack of who woke the thread, the innermost function first, so that
 * the two meet where one wakes the other.
 */
#include <stdbool.h>

struct flame_builder;
struct flame_stacks_options;
struct off_cpu;

/*
 * Adds the times of @off, which is finished, in nanoseconds, or how many waits they are (@counts).
 * The names and filters of @o hold; with @o->reverse wakers are left out.
 */
void off_cpu_add_boxes(const struct off_cpu *off, struct flame_builder *b,
		       const struct flame_stacks_options *o, bool counts);
