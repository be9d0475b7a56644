/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes a flame graph as one SVG file.
 *
 * Without scripts it is a picture with tooltips. In a browser, its own script (flame.js) adds
 * zooming, searching and other features; it finds the numbers of the boxes in <metadata>.
 *
 * Boxes have the width of FlameGraph's: a share of the width without its margins. Boxes narrower
 * than a tenth of a pixel are left out, with the boxes above them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "view/picture/flame-data.h"

struct flame;
struct palette;
struct text;

/* Writes the file to @out. Returns 0, or the -errno of the stream. */
int flame_svg_print(const struct flame *f, const struct flame_picture *picture, FILE *out);

/*
 * Appends an amount in the form of boxes' titles: "1,234 samples"; for "ns": "6.508 s", "12.3 ms".
 */
void flame_amount_add(struct text *t, uint64_t n, const char *count_name);
