/* SPDX-License-Identifier: MIT */
#pragma once
/* Formats the value of a metric: its digits, and its colour. */
#include <stdbool.h>

#include "base/text.h"
#include "count/stat.h"

/* True if there is a value to show. */
bool stat_metric_is_known(const struct stat_metric *m);

/*
 * True if the row shows the metric: one that was requested by name is shown even without a value.
 */
bool stat_metric_is_shown(const struct stat_row *r, const struct stat_metric *m);

/* For text: adds the value right-aligned in the width of its format, with the sign after it. */
void stat_metric_add_value(struct text *t, const struct stat_metric *m);

/* For programs: adds only the same digits. */
void stat_metric_add_number(struct text *t, const struct stat_metric *m);

/* Returns the sequence that begins the colour of a level, or "" if it has none. */
const char *stat_metric_colour(enum stat_level level);

/* The sequence that ends it. */
#define STAT_COLOUR_OFF "\033[m"
