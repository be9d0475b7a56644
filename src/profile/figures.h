/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The figures that a report can show of a row, by name: overhead, sample, period, ...
 *
 * A figure is an object in a table, so that adding one is a row: docs/howto/add-report-column.md.
 * It says what is taken from a row and whether that is shown as a share of all; text is the views'
 * affair.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/report.h"

/* Whether in --fields a figure goes before the sort key of its name. */
enum over_key {
	OVER_KEY_NEVER,
	OVER_KEY_BESIDE_MEANS, /* if another mean stands there that is no key */
	OVER_KEY_ALWAYS,
};

struct figure {
	const char *name; /* in --sort and --fields */
	const char *title;
	struct row_order what; /* rows are sorted by it like this */
	bool share;            /* of the whole, in percent; else a number */
	unsigned needs;        /* enum row_needs */
	enum over_key over_key;
	/* A share for each class of memory_classes(); else NO_BREAKDOWN. */
	int breakdown;
};

#define NO_BREAKDOWN (-1)

/*
 * The figure that @name, or the beginning of it, stands for; NULL: none. Breakdowns are known only
 * to reports of accesses to memory: @memory.
 */
const struct figure *figure_find(const char *name, bool memory);

/* The figure of exactly this name, which there is. */
const struct figure *figure_get(const char *name);

/* Calls @each for all figures, in the order of the table. */
void figures_for_each(void (*each)(void *arg, const struct figure *f), void *arg);

/* What @o, which is not ROW_BY_KEY, is in @row. */
uint64_t figure_value(const struct row_order *o, const struct report_row *row);
