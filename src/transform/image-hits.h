/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which images samples fell into, with their ip or a frame of their call chain.
 *
 * One thread's: several threads take one each and ask all of them.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct image;
struct image_hits;
struct sample;
struct session;

/* @s is borrowed; samples may be added while it is read. */
struct image_hits *image_hits_new(const struct session *s);
void image_hits_free(struct image_hits *h);
DEFINE_FREEP(image_hits)

void image_hits_add(struct image_hits *h, const struct sample *s);

bool image_hits_has(const struct image_hits *h, const struct image *im);

/* All that were hit, in the order of their first hits. */
struct image *const *image_hits_list(const struct image_hits *h, size_t *ret_n);
