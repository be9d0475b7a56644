/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waiting times as boxes: whose time it is, what for (profile/wait-kind.h), the stack. On top of
 * it, if that was recorded, the stack of who woke the thread, the innermost function first, so that
 * the two meet where one wakes the other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flame_builder;
struct flame_stacks_options;
struct off_cpu;
struct tally;

/* Stacks that weigh time: of who runs, or of who waits. */
struct off_cpu_part {
	const struct tally *tally;
	uint64_t ns_per_sample; /* 0: periods are nanoseconds */
	bool waits;
};

/*
 * Adds the stacks of @n parts, each below a box that says what its thread waits for, as far as its
 * functions tell, or that it runs. Options as below.
 */
void off_cpu_add_parts(const struct off_cpu_part *parts, size_t n, struct flame_builder *b,
		       const struct flame_stacks_options *o);

/*
 * Adds the times of @off, which is finished, in nanoseconds, or how many waits they are (@counts).
 * The names and filters of @o hold; with @o->reverse wakers are left out.
 */
void off_cpu_add_boxes(const struct off_cpu *off, struct flame_builder *b,
		       const struct flame_stacks_options *o, bool counts);
