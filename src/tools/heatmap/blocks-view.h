/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a heat map in a terminal: a character for each cell, or coloured half blocks for two cells
 * that lie above each other.
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
	bool ascii;    /* ASCII only: blanks with colours in place of half blocks */
	bool is_light; /* the terminal shows dark text on a light background */
};

/* Returns the number of columns that are left for cells in a terminal of @width columns. */
size_t heat_blocks_columns(size_t width);

/*
 * Prints @p. If the map fits, no line is longer than the width that heat_blocks_columns() was
 * given.
 */
void heat_blocks_print(const struct heat_picture *p, const struct heat_blocks *b, FILE *out);
