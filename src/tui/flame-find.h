/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finding boxes of a flame graph: those whose names have a part, and the same box in a newer graph.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"

/* The names of a box and of all that it stands on, from the second on. Copies. */
struct flame_path {
	struct {
		char **items;
		size_t n, room;
	} names;
};

void flame_path_take(struct flame_path *p, const struct flame *f, uint32_t box);
void flame_path_done(struct flame_path *p);

/* The box with these names, or the last one on the way to it that there is. */
uint32_t flame_path_find(const struct flame_path *p, const struct flame *f);

/* The box at @depth that @box stands on, or is. */
uint32_t flame_box_at_depth(const struct flame *f, uint32_t box, uint32_t depth);

/* The heaviest box that stands on @box itself; FLAME_NONE: there is none. */
uint32_t flame_heaviest_child(const struct flame *f, uint32_t box);

/* Boxes that were searched for. */
struct flame_matches {
	uint8_t *is_match; /* by box; NULL: nothing is searched for */
	size_t count;
	uint64_t weight; /* of all of them; of those that stand on others, only the lowest count */
};

/* Finds @text in names, in small or capital letters; NULL or "": in none. */
void flame_matches_make(struct flame_matches *m, const struct flame *f, const char *text);
void flame_matches_done(struct flame_matches *m);

/*
 * The next match behind @from (or before it: @step -1) of those that stand on @root or are it;
 * after the last one comes the first. FLAME_NONE: there is none.
 */
uint32_t flame_matches_next(const struct flame_matches *m, const struct flame *f, uint32_t root,
			    uint32_t from, int step);
