/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The numbers of a flame graph's boxes as JSON, for the script in the picture.
 */
struct flame_layout;
struct flame_picture;
struct text;

/*
 * Appends an object: what the picture is, and of each box that is drawn, in order, its depth, kind,
 * object and values. `gap` is the room between the box and its elder sibling, or the beginning of
 * its parent: where boxes were left out.
 */
void flame_data_add(struct text *t, const struct flame_layout *l,
		    const struct flame_picture *picture);
