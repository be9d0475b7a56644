/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A flame graph as one SVG file.
 *
 * Without scripts it is a picture with tooltips. In a browser, the script that it carries
 * (flame.js) adds zooming, searching and the rest; it finds the numbers of the boxes in <metadata>.
 *
 * Boxes are as wide as FlameGraph's: a share of the width without its margins. Those narrower than
 * a tenth of a pixel are left out, with what stands on them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "view/picture/flame-data.h"

struct flame;
struct palette;
struct text;

/* Writes the file to @out. 0, or the -errno of the stream. */
int flame_svg_print(const struct flame *f, const struct flame_picture *picture, FILE *out);

/* Appends an amount as titles of boxes have it: "1,234 samples"; of "ns": "6.508 s", "12.3 ms". */
void flame_amount_add(struct text *t, uint64_t n, const char *count_name);
