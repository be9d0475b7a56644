/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The value of a metric as characters: its digits, and its colour.
 */
#include <stdbool.h>

#include "base/text.h"
#include "count/stat.h"

/* Whether there is a value to show. */
bool stat_metric_is_known(const struct stat_metric *m);

/* Whether a row mentions it: a metric that was asked for by name is, even without a value. */
bool stat_metric_is_shown(const struct stat_row *r, const struct stat_metric *m);

/* For text: right-aligned in the width of its format, with the sign after it. */
void stat_metric_add_value(struct text *t, const struct stat_metric *m);

/* For programs: the same digits alone. */
void stat_metric_add_number(struct text *t, const struct stat_metric *m);

/* The sequence that begins the colour of a level, or "" if it has none. */
const char *stat_metric_colour(enum stat_level level);

/* The sequence that ends it. */
#define STAT_COLOUR_OFF "\033[m"
