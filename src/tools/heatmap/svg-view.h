/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map as one SVG file: columns of time, rows of values, colour by count.
 *
 * Without scripts it is a picture with tooltips, which fits the width of the window. Its own script
 * (heat.js) shows the cell under the pointer in a line above the picture, and moves from cell to
 * cell with the arrow keys.
 */
#include <stdio.h>

struct heat_picture;

/* Writes the file to @out. Returns 0, or the -errno of the stream. */
int heat_svg_print(const struct heat_picture *p, FILE *out);
