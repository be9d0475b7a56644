/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The visible state of a flame graph: the zoomed box, the selected box, the visible rows, and the
 * searched text. It knows neither keys nor a screen.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/flame.h"
#include "tui/flame-bars.h"

/*
 * Finds boxes of a flame graph: those whose names contain a text, and the same box in a newer
 * graph.
 */

/* The names of a box and of all boxes below it, from the second on. They are copies. */
struct flame_path {
	struct {
		char **items;
		size_t n, room;
	} names;
};

void flame_path_take(struct flame_path *p, const struct flame *f, uint32_t box);
void flame_path_done(struct flame_path *p);

/* Returns the box with these names, or the last existing one on the way to it. */
uint32_t flame_path_find(const struct flame_path *p, const struct flame *f);

/* Returns the box at @depth that is below @box, or is @box itself. */
uint32_t flame_box_at_depth(const struct flame *f, uint32_t box, uint32_t depth);

/* Returns the heaviest box directly above @box; FLAME_NONE: there is none. */
uint32_t flame_heaviest_child(const struct flame *f, uint32_t box);

/* The boxes that match a search. */
struct flame_matches {
	uint8_t *is_match; /* by box; NULL: no search */
	size_t count;
	uint64_t weight; /* the sum over all matches; above another match, a match does not count */
};

/* Finds @text in names, ignoring case; NULL or "" matches none. */
void flame_matches_make(struct flame_matches *m, const struct flame *f, const char *text);
void flame_matches_done(struct flame_matches *m);

/*
 * Returns the next match after @from (or before it: @step -1) among @root and the boxes above it.
 * After the last one comes the first. FLAME_NONE: there is none.
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
	} zooms;            /* the depths of the previous roots */
	size_t top, height; /* the visible rows */
	char *searched;     /* or NULL */
	struct flame_matches matches;
};

void flame_view_done(struct flame_view *v);

/* Shows @f, which the view now owns, with the same zoom and selection. */
void flame_view_take(struct flame_view *v, struct flame *f);

/* Shows another graph from its beginning. */
void flame_view_reset(struct flame_view *v, struct flame *f);

/* Lays the boxes out in this number of cells. */
void flame_view_fit(struct flame_view *v, int width, size_t height);

void flame_view_select(struct flame_view *v, uint32_t box);

/* Each does what an arrow key does. False: there is no box in that direction. */
bool flame_view_down(struct flame_view *v);
bool flame_view_up(struct flame_view *v);
bool flame_view_beside(struct flame_view *v, int step);

/* Moves the visible rows by this number. */
void flame_view_scroll(struct flame_view *v, int rows);

/* Zooms into the selected box, or back to the previous zoom. False: nothing changes. */
bool flame_view_zoom_in(struct flame_view *v);
bool flame_view_zoom_out(struct flame_view *v);

/* Marks the boxes whose names contain @text; NULL: none. */
void flame_view_search(struct flame_view *v, const char *text);

/* Selects the next match, or the previous one. False: there is none in the zoomed part. */
bool flame_view_next_match(struct flame_view *v, int step);

/* Selects the heaviest match. False: there is none in the zoomed part. */
bool flame_view_heaviest_match(struct flame_view *v);
