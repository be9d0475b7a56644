/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The latest values of the rows of a table that is made again at intervals.
 *
 *	history_begin(h);
 *	for each row, in its order:
 *		at = history_add(h, key, value);
 *	history_end(h);
 *	for each row:
 *		past = history_get(h, at);
 *
 * Rows are identified by a key; rows with equal keys by their order. Rows that are missing in a
 * table are forgotten, so that memory grows with the rows of one table.
 */
#include <stddef.h>

#include "base/cleanup.h"

/* The number of values that are kept for a row. */
#define HISTORY_MAX 120

struct history;

/* Values, borrowed, the oldest first. */
struct past {
	const double *values;
	size_t n;
};

struct history *history_new(void);
void history_free(struct history *h);
DEFINE_FREEP(history)

void history_begin(struct history *h);

/* Adds the newest value of the row @key. Returns a handle that is valid until history_begin(). */
size_t history_add(struct history *h, const char *key, double value);

/* Ends the adding of rows. */
void history_end(struct history *h);

struct past history_get(const struct history *h, size_t handle);
