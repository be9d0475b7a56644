/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What somebody sees of a flame graph: the box that is zoomed into, the one that is selected, the
 * rows that are in sight, and what was searched for. Knows no keys and no screen.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"
#include "tui/flame-bars.h"

/*
 * Finding boxes of a flame graph: those whose names have a part, and the same box in a newer graph.
 */

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

struct flame_view {
	struct flame *flame; /* NULL: nothing yet */
	struct flame_bars bars;
	uint32_t root, selected;
	struct {
		uint32_t *items;
		size_t n, room;
	} zooms;            /* the depths of the roots before this one */
	size_t top, height; /* rows in sight */
	char *searched;     /* or NULL */
	struct flame_matches matches;
};

void flame_view_done(struct flame_view *v);

/* Shows @f, which is the view's from now on: zoomed into and selected is what was before. */
void flame_view_take(struct flame_view *v, struct flame *f);

/* Shows another graph from its beginning. */
void flame_view_reset(struct flame_view *v, struct flame *f);

/* Lays the boxes out in so many cells. */
void flame_view_fit(struct flame_view *v, int width, size_t height);

void flame_view_select(struct flame_view *v, uint32_t box);

/* Each does what an arrow does; false: there is nothing that way. */
bool flame_view_down(struct flame_view *v);
bool flame_view_up(struct flame_view *v);
bool flame_view_beside(struct flame_view *v, int step);

/* Moves the rows in sight by so many. */
void flame_view_scroll(struct flame_view *v, int rows);

/* Zooms into the selected box, or back to what was seen before; false: that is already seen. */
bool flame_view_zoom_in(struct flame_view *v);
bool flame_view_zoom_out(struct flame_view *v);

/* Marks the boxes whose names have @text; NULL: none. */
void flame_view_search(struct flame_view *v, const char *text);

/* Selects the next match, or the one before; false: there is none in what is zoomed into. */
bool flame_view_next_match(struct flame_view *v, int step);

/* Selects the heaviest match; false likewise. */
bool flame_view_heaviest_match(struct flame_view *v);
