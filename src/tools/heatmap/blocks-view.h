/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map in a terminal: a character for each cell, or coloured half blocks for two cells that
 * lie above each other.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct heat_picture;

enum heat_ink {
	HEAT_SHADES, /* no colours: characters from '.' to '@' */
	HEAT_256,
	HEAT_TRUE_COLOUR,
};

struct heat_blocks {
	enum heat_ink ink;
	bool ascii;    /* no other characters: blanks with colours in place of half blocks */
	bool is_light; /* the terminal has dark text on a light page */
};

/* How many columns are left for cells in a terminal of @width. */
size_t heat_blocks_columns(size_t width);

/* Prints @p; no line is longer than what heat_blocks_columns() was told, if the map fits. */
void heat_blocks_print(const struct heat_picture *p, const struct heat_blocks *b, FILE *out);
