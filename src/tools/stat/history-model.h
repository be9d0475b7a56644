/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The last values of the rows of a table that is made anew every so often.
 *
 *	history_begin(h);
 *	for each row, in its order:
 *		at = history_add(h, key, value);
 *	history_end(h);
 *	for each row:
 *		past = history_get(h, at);
 *
 * Rows are told apart by a key; of equal keys by their order. Rows that a table does not have are
 * forgotten, so that memory grows with the rows of one table.
 */
#include <stddef.h>

#include "base/cleanup.h"

/* Values that are kept of a row. */
#define HISTORY_MAX 120

struct history;

/* Borrowed, the oldest first. */
struct past {
	const double *values;
	size_t n;
};

struct history *history_new(void);
void history_free(struct history *h);
DEFINE_FREEP(history)

void history_begin(struct history *h);

/* The newest value of the row @key. Returns a handle that holds until history_begin(). */
size_t history_add(struct history *h, const char *key, double value);

/* All rows were added. */
void history_end(struct history *h);

struct past history_get(const struct history *h, size_t handle);
