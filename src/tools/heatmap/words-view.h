/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a heat map says in words and on its axes, for all its forms: SVG, terminal.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/heatmap/heatmap-model.h"
#include "view/picture/scale.h"

struct sequence;
struct text;

/* A heat map and its words. Everything is borrowed. */
struct heat_picture {
	const struct heat_map *map;
	const char *title;      /* "Block I/O latency" */
	const char *subtitle;   /* or NULL */
	const char *value_name; /* of the value axis: "latency" */
	const char *noun;       /* what was counted, in the plural, which ends with s: "pairs" */
	bool values_are_times;  /* in nanoseconds; else plain numbers */
	const struct sequence *colours;
};

struct heat_tick {
	double place; /* from 0, at the first column or the lowest row, to 1 */
	char label[24];
};

/* About @wanted marks of an axis, the lowest first. Returns how many; SCALE_TICKS_MAX at most. */
size_t heat_x_ticks(const struct heat_picture *p, size_t wanted, struct heat_tick *ticks);
size_t heat_y_ticks(const struct heat_picture *p, size_t wanted, struct heat_tick *ticks);

/* Appends "16 s to 17 s, 0 to 1 ms: 2,337 pairs, 87.0% of the column". */
void heat_add_cell(struct text *t, const struct heat_picture *p, size_t column, size_t row);

/* Appends how much there is of what, when, and what is not shown. */
void heat_add_summary(struct text *t, const struct heat_picture *p);

/* Appends "time since 12658.366485 s". */
void heat_add_time_name(struct text *t, const struct heat_picture *p);

/* Appends "1,234 pairs" or "1 pair". */
void heat_add_count(struct text *t, const struct heat_picture *p, uint64_t n);

/*
 * Where the colour of a cell with @count lies, from 0 for one to 1 for the highest count. It is
 * logarithmic, so that single events and small clouds can be seen beside thousands.
 */
double heat_shade(const struct heat_map *m, uint64_t count);

/* The count with that shade, the inverse. */
double heat_shade_count(const struct heat_map *m, double shade);

/* How strong a colour of view/picture/palette.h is @shade: the weakest is well apart from the page.
 */
double heat_strength(double shade);
