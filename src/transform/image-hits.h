/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Collects the images into which samples fell, with their ip or a frame of their call chain, and
 * the depths of the user's parts of the chains.
 *
 * The state is for one thread. Several threads use one each, and all of them are evaluated.
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
 * The length that no chain of a program without frame pointers exceeds. An invalid frame pointer
 * ends a chain at once (x86), or leads directly to the frames that the C library makes (aarch64).
 */
#define SHALLOW_FRAMES 3

/*
 * The number of call chains with frames in user mode, of those with at most SHALLOW_FRAMES, and of
 * those with the same number of frames, including the kernel's, as the deepest one.
 */
struct stack_depths {
	uint64_t stacks, shallow;
	uint64_t n_deepest;
	size_t deepest;
};

/* Adds @more to @d. */
void stack_depths_add(struct stack_depths *d, const struct stack_depths *more);

void image_hits_add(struct image_hits *h, const struct sample *s);

/* Returns the depths of all samples so far. */
struct stack_depths image_hits_depths(const struct image_hits *h);

bool image_hits_has(const struct image_hits *h, const struct image *im);

/* Returns all images that were hit, in the order of their first hits. */
struct image *const *image_hits_list(const struct image_hits *h, size_t *ret_n);
