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

/* Lets go of what does not come from the arena. */
void space_done(struct space *sp);

/*
 * Lays @map over [@start, @end) from @at on; NULL: nothing lies there any more. A @map like the one
 * that is there already adds nothing. An empty range is ignored.
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
 * The space whose maps are all that can be seen in @sp at @at: the one it was forked from, while
 * neither has laid anything since; else @sp. *@span is narrowed to the times for which that is so.
 */
const struct space *space_seen(const struct space *sp, struct moment at, struct span *span);

/* Calls @each for what lies in the space at @at, by address; maps may come in parts. */
void space_for_each(const struct space *sp, struct moment at,
		    void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map),
		    void *arg);

/*
 * Copies of spaces that hold what theirs do from a moment on, and only that. Spaces that lie over
 * the same one do so as copies, too, unless that has changed since they were forked.
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

/* The copy of @sp: made, if it is asked for the first time, and then with those it lies over. */
struct space *space_copy(struct space_copying *c, const struct space *sp);

/* The start of the lowest map above @addr, at the end of time and in this space alone; @otherwise
 * if there is none. */
uint64_t space_next_start(const struct space *sp, uint64_t addr, uint64_t otherwise);
