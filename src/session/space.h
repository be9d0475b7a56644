/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An address space over time: which map was where, and when.
 *
 * Maps are laid over each other in the order of time. The state that a map covers is kept beneath
 * it and found again for earlier moments. A forked process's space lies over its parent's state at
 * the fork, and shares it. Nothing is ever removed; memory comes from an arena. A lookup is one
 * binary search if the current state is wanted, and one more for each later map at that address and
 * for each fork that laid maps of its own. Laying a map is O(log n) plus the number of slots that
 * it covers.
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
	const struct space *below; /* the space whose maps show through; NULL: none */
	struct moment below_at;    /* the moment at which its maps show through */
	unsigned depth;            /* the number of spaces below */
	struct moment first, last; /* moments of the maps laid here, if any */
	struct jit_history jit;
	/* the space whose JIT code existed at the fork; NULL: none */
	const struct space *jit_below;
	struct moment jit_below_at; /* the moment of that fork */
};

/* Returns a new, empty space. */
struct space *space_new(struct arena *a);

/* Returns a space with the state that @parent had at @at. O(1) in most cases. */
struct space *space_fork(struct arena *a, const struct space *parent, struct moment at);

/* Releases the parts that are not in the arena. */
void space_done(struct space *sp);

/*
 * Maps @map at [@start, @end) from @at on; NULL: the range is unmapped. A @map that is there
 * already adds nothing. An empty range is ignored.
 */
void space_lay(struct space *sp, struct arena *a, uint64_t start, uint64_t end,
	       const struct map *map, struct moment at);

/* Returns the map at @addr at @at; NULL: none. */
const struct map *space_find(const struct space *sp, uint64_t addr, struct moment at);

/* Does the same; *@span is narrowed to the times for which the result is valid. */
const struct map *space_find_span(const struct space *sp, uint64_t addr, struct moment at,
				  struct span *span);

/*
 * Returns the code at @addr at @at that a JIT compiler reported, in the process or, before the
 * fork, in its parent; NULL: none. *@span as above.
 */
const struct map *space_find_jit(const struct space *sp, uint64_t addr, struct moment at,
				 struct span *span);

/*
 * Returns the space whose maps are exactly those visible in @sp at @at: the one from which it was
 * forked, as long as neither has changed since; otherwise @sp. *@span is narrowed to the times for
 * which that is true.
 */
const struct space *space_seen(const struct space *sp, struct moment at, struct span *span);

/* Calls @each for the maps in the space at @at, by address; maps may come in parts. */
void space_for_each(const struct space *sp, struct moment at,
		    void (*each)(void *arg, uint64_t start, uint64_t end, const struct map *map),
		    void *arg);

/*
 * Copies of spaces, with their state from a moment on and nothing older. If a space lies over
 * another one, its copy lies over the copy of that one, unless the lower space has changed since
 * the fork.
 */
struct space_copying {
	struct arena *arena; /* holds the copies */
	struct moment from;
	/* Return the copies of a map and of JIT code. */
	const struct map *(*map)(void *arg, const struct map *m);
	const struct jit_maps *(*jit)(void *arg, const struct jit_maps *j);
	void *arg;
	struct u64_map done; /* copies by their originals; their owner calls space_done() */
};

/* Returns the copy of @sp, which is made at the first call, together with the spaces below it. */
struct space *space_copy(struct space_copying *c, const struct space *sp);

/*
 * Returns the start of the lowest map above @addr, at the end of time and in this space alone;
 * @otherwise if there is none.
 */
uint64_t space_next_start(const struct space *sp, uint64_t addr, uint64_t otherwise);
