/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples without a function name: how many there are, in which images.
 *
 * Nothing is reported about images that can have no names ([vsyscall], memory without code), nor if
 * the samples without names are too few to matter.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"

struct frames;
struct image;
struct stacks;

/* An image with samples at addresses that no symbol covers. */
struct missing_object {
	const struct image *image; /* NULL: addresses at which no image is known */
	uint64_t samples;
};

struct missing_symbols {
	struct missing_object *items;
	size_t n, room;
	uint64_t total;          /* the total of all samples, with or without a name */
	struct u64_map by_image; /* index in items + 1 */
};

void missing_symbols_done(struct missing_symbols *m);

/*
 * Adds samples without a name in @im, which may be NULL; they are part of a total that the caller
 * sets.
 */
void missing_symbols_add(struct missing_symbols *m, const struct image *im, uint64_t samples);

/*
 * Adds the samples at the nodes of @s, whose frames are those of @frames; unless @shown is NULL,
 * only those at nodes for which it is true (profile/shown-nodes.h).
 */
void missing_symbols_count(struct missing_symbols *m, const struct frames *frames,
			   const struct stacks *s, const bool *shown);

/*
 * Puts the images that are to be reported first, each file once, the one with the most samples
 * first; returns how many they are. Nothing may be counted afterwards.
 */
size_t missing_symbols_rank(struct missing_symbols *m);
