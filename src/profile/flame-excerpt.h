/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A part of a flame graph: what stands on the boxes of one function or one image.
 */
#include "profile/flame.h"

/* What boxes must be; NULL: any. */
struct flame_excerpt {
	const char *name;
	const char *object;
};

/*
 * The boxes of @f that are so, each with what stands on it, put together by name on one first box.
 * Of a function that calls itself the outermost counts. A graph of its own, without changes.
 */
struct flame *flame_excerpt_new(const struct flame *f, const struct flame_excerpt *part);

/* Only the stacks that lead through @box, with the boxes that it stands on. */
struct flame *flame_excerpt_through(const struct flame *f, uint32_t box);
