/* SPDX-License-Identifier: MIT */
#pragma once
/* A part of a flame graph: the boxes of one function or one image, with all that stands on them. */
#include "profile/flame.h"

/* The name and object that boxes must have; NULL: any. */
struct flame_excerpt {
	const char *name;
	const char *object;
};

/*
 * Returns a graph of the boxes of @f that match @part, each with everything that stands on it,
 * merged by name on one first box. If a function calls itself, the outermost box counts. The graph
 * is independent of @f and has no changes.
 */
struct flame *flame_excerpt_new(const struct flame *f, const struct flame_excerpt *part);

/* Returns a graph of the stacks that lead through @box, with the boxes that it stands on. */
struct flame *flame_excerpt_through(const struct flame *f, uint32_t box);
