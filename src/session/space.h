/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An address space over time: which map lay where, when.
 *
 * Maps are laid one over the other in the order of time; what one covers is kept beneath it and
 * found again for earlier moments. A forked process's space lies over its parent's as that was at
 * the fork, and shares it. Nothing is ever removed; memory comes from an arena. A lookup is one
 * binary search where the answer is current, and one more for each later map at that address and
 * for each fork that laid maps of its own. Laying a map is O(log n) and what it covers.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "session/jit-history.h"
#include "session/moment.h"
#include "session/space-layer.h"

struct arena;
struct map;
struct span;

struct space {
	struct space_layer top;
	const struct space *below; /* whose maps show through; NULL: none */
	struct moment below_at;    /* as they were then */
	unsigned depth;            /* of spaces below */
	struct moment first, last; /* of what was laid here, if anything was */
	struct jit_history jit;
	const struct space *jit_below; /* whose JIT code was there at the fork; NULL: none */
	struct moment jit_below_at;    /* as it was then */
};

/* An empty space. */
struct space *space_new(struct arena *a);

/* A space that holds what @parent did at @at. O(1) mostly. */
struct space *space_fork(struct arena *a, const struct space *parent, struct moment at);

/* Releases what is not in the arena. */
void space_done(struct space *sp);

/*
 * Maps @map at [@start, @end) from @at on; NULL: the range is unmapped. A @map that is already
 * there adds nothing. An empty range is ignored.
 */
void space_lay(struct space *sp, struct arena *a, uint64_t start, uint64_t end,
	       const struct map *map, struct moment at);

/* What lies at @addr at @at; NULL: nothing. */
const struct map *space_find(const struct space *sp, uint64_t addr, struct moment at);

/* The same; *@span is narrowed to the times for which the answer holds. */
const struct map *space_find_span(const struct space *sp, uint64_t addr, struct moment at,
				  struct span *span);

/*
 * The code at @addr at @at that a JIT compiler told of, in the process or, before the fork, in its
 * parent; NULL: none. *@span as above.
 */
const struct map *space_find_jit(const struct space *sp, uint64_t addr, struct moment at,
				 struct span *span);

/*
 * The space whose maps are exactly those visible in @sp at @at: the one it was forked from, as
 * long as neither has changed since; else @sp. *@span is narrowed to the times for which that
 * holds.
 */
const struct space *space_seen(const struct space *sp, struct moment at, struct span *span);

/* Calls @each for what lies in the space at @at, by address; maps may come in parts. */
void space_for_each(const struct space *sp, struct moment at,
		    void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map),
		    void *arg);

/*
 * Copies of spaces, with what they hold from a moment on and nothing older. If a space lies over
 * another one, its copy lies over the copy of that one, unless the lower space has changed since
 * the fork.
 */
struct space_copying {
	struct arena *arena; /* of the copies */
	struct moment from;
	/* The copies of a map and of JIT code. */
	const struct map *(*map)(void *arg, const struct map *m);
	const struct jit_maps *(*jit)(void *arg, const struct jit_maps *j);
	void *arg;
	struct u64_map done; /* copies by their originals; space_done() is for who makes them */
};

/* The copy of @sp; made at the first call, together with the spaces below it. */
struct space *space_copy(struct space_copying *c, const struct space *sp);

/*
 * The start of the lowest map above @addr, at the end of time and in this space alone; @otherwise
 * if there is none.
 */
uint64_t space_next_start(const struct space *sp, uint64_t addr, uint64_t otherwise);
