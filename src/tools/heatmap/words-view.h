/* SPDX-License-Identifier: MIT */
#pragma once
/* The words of a heat map and the marks of its axes, for all its forms: SVG, terminal. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/heatmap/heatmap-model.h"
#include "view/picture/scale.h"

struct sequence;
struct text;

/* A heat map and its words. All members are borrowed. */
struct heat_picture {
	const struct heat_map *map;
	const char *title;      /* "Block I/O latency" */
	const char *subtitle;   /* or NULL */
	const char *value_name; /* the value axis: "latency" */
	const char *noun;       /* what was counted, in the plural, ending with s: "pairs" */
	bool values_are_times;  /* values are in nanoseconds; else plain numbers */
	const struct sequence *colours;
};

struct heat_tick {
	double place; /* from 0, the first column or the lowest row, to 1 */
	char label[24];
};

/*
 * Fill in about @wanted marks of an axis, the lowest first. Return their number, at most
 * SCALE_TICKS_MAX.
 */
size_t heat_x_ticks(const struct heat_picture *p, size_t wanted, struct heat_tick *ticks);
size_t heat_y_ticks(const struct heat_picture *p, size_t wanted, struct heat_tick *ticks);

/* Appends "16 s to 17 s, 0 to 1 ms: 2,337 pairs, 87.0% of the column". */
void heat_add_cell(struct text *t, const struct heat_picture *p, size_t column, size_t row);

/* Appends the number of things that were counted, the time span, and what is not shown. */
void heat_add_summary(struct text *t, const struct heat_picture *p);

/* Appends "time since 12658.366485 s". */
void heat_add_time_name(struct text *t, const struct heat_picture *p);

/* Appends "1,234 pairs" or "1 pair". */
void heat_add_count(struct text *t, const struct heat_picture *p, uint64_t n);

/*
 * Returns the place of the colour of a cell with @count, from 0 for a count of one to 1 for the
 * highest count. The scale is logarithmic, so that single events and small clouds can be seen next
 * to thousands.
 */
double heat_shade(const struct heat_map *m, uint64_t count);

/* Returns the count with that shade: the inverse function. */
double heat_shade_count(const struct heat_map *m, double shade);

/*
 * Returns the strength of a colour of view/picture/palette.h for @shade. The weakest colour stands
 * out clearly from the page.
 */
double heat_strength(double shade);
