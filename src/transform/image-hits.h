/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which images samples fell into, with their ip or a frame of their call chain, and how deep the
 * user's parts of the chains are.
 *
 * One thread's: several threads take one each and ask all of them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct image;
struct image_hits;
struct sample;
struct session;

/* @s is borrowed; samples may be added while it is read. */
struct image_hits *image_hits_new(const struct session *s);
void image_hits_free(struct image_hits *h);
DEFINE_FREEP(image_hits)

/*
 * A frame pointer that is none ends a chain at once (x86), or leads straight to the frames that the
 * C library makes (aarch64): no chain of a program without them is longer than this.
 */
#define SHALLOW_FRAMES 3

/*
 * Call chains with frames in user mode, how many of them have at most SHALLOW_FRAMES, and how many
 * have as many frames, with those of the kernel, as the deepest one.
 */
struct stack_depths {
	uint64_t stacks, shallow;
	uint64_t n_deepest;
	size_t deepest;
};

/* Adds @more to @d. */
void stack_depths_add(struct stack_depths *d, const struct stack_depths *more);

void image_hits_add(struct image_hits *h, const struct sample *s);

/* Of all samples so far. */
struct stack_depths image_hits_depths(const struct image_hits *h);

bool image_hits_has(const struct image_hits *h, const struct image *im);

/* All that were hit, in the order of their first hits. */
struct image *const *image_hits_list(const struct image_hits *h, size_t *ret_n);
