/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples without a function name: how many there are, in which images.
 *
 * Nothing is said of images that can have no names ([vsyscall], memory without code), nor where
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
	const struct image *image; /* NULL: addresses at which nothing is known to lie */
	uint64_t samples;
};

struct missing_symbols {
	struct missing_object *items;
	size_t n, room;
	uint64_t total;          /* of all samples, named or not */
	struct u64_map by_image; /* place in items + 1 */
};

void missing_symbols_done(struct missing_symbols *m);

/* Adds samples without a name in @im, which may be NULL; they are part of a total that the caller
 * sets. */
void missing_symbols_add(struct missing_symbols *m, const struct image *im, uint64_t samples);

/*
 * Adds what lies at the nodes of @s, whose frames are those of @frames; only at those that @shown
 * says, unless it is NULL (profile/shown-nodes.h).
 */
void missing_symbols_count(struct missing_symbols *m, const struct frames *frames,
			   const struct stacks *s, const bool *shown);

/*
 * Puts those of which something is to be said first, each file once, the one with the most samples
 * first; returns how many they are. Nothing may be counted any more.
 */
size_t missing_symbols_rank(struct missing_symbols *m);
