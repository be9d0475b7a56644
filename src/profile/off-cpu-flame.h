/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waiting times as boxes: whose time it is, the reason (profile/wait-kind.h), the stack. If it was
 * recorded, the stack of the waker follows on top, the innermost function first, so that the two
 * meet where one wakes the other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flame_builder;
struct flame_stacks_options;
struct off_cpu;
struct tally;

/* Stacks that weigh time: of running or of waiting threads. */
struct off_cpu_part {
	const struct tally *tally;
	uint64_t ns_per_sample; /* 0: periods are nanoseconds */
	bool waits;
};

/*
 * Adds the stacks of @n parts. Each is below a box that says what its thread waits for, as far as
 * its functions show, or that it runs. Options as below.
 */
void off_cpu_add_parts(const struct off_cpu_part *parts, size_t n, struct flame_builder *b,
		       const struct flame_stacks_options *o);

/*
 * Adds the times of @off, which is finished, in nanoseconds, or the number of waits (@counts). The
 * names and filters of @o are used; with @o->reverse wakers are left out.
 */
void off_cpu_add_boxes(const struct off_cpu *off, struct flame_builder *b,
		       const struct flame_stacks_options *o, bool counts);
