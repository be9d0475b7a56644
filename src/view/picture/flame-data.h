/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The numbers of a flame graph's boxes as JSON, for the script in the picture.
 */
#include <stdbool.h>
struct flame_layout;
struct text;

/* The parameters of the picture, apart from the boxes. Texts are borrowed; NULL is the default. */
struct flame_picture {
	const char *title;      /* "Flame graph" */
	const char *subtitle;   /* default: none */
	const char *count_name; /* what was counted: "samples"; "ns": times */
	/* For a comparison: the names of the two sides, "before" and "after". */
	const char *before, *after;
	const struct palette *palette; /* default: palette_default() */
	unsigned width;                /* in pixels; 0: 1200. A script fits it to the window. */
	double min_percent;            /* boxes with a smaller share are left out, too */
	bool is_icicle;                /* the first box is on top */
};

/*
 * Appends an object: the properties of the picture, and, for each drawn box, in order, its depth,
 * kind, object and values. `gap` is the space between the box and its elder sibling, or the
 * beginning of its parent, in which boxes were left out.
 */
void flame_data_add(struct text *t, const struct flame_layout *l,
		    const struct flame_picture *picture);
