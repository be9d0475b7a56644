/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The figures that a report can show for a row, by name: overhead, sample, period, ...
 *
 * A figure is an object in a table, so that adding one is a row: docs/howto/add-report-column.md.
 * It defines which value is taken from a row, and whether that is shown as a share of all. The
 * views make the text.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/report.h"

/* The condition on which a figure goes before the sort key of its name in --fields. */
enum over_key {
	OVER_KEY_NEVER,
	OVER_KEY_BESIDE_MEANS, /* if another mean stands there that is no key */
	OVER_KEY_ALWAYS,
};

struct figure {
	const char *name; /* the name in --sort and --fields */
	const char *title;
	struct row_order what; /* the order by which rows are sorted */
	bool share;            /* a percentage of the whole; otherwise a number */
	unsigned needs;        /* enum row_needs */
	enum over_key over_key;
	/* A figure for each class of memory_classes(); otherwise NO_BREAKDOWN. */
	int breakdown;
};

#define NO_BREAKDOWN (-1)

/*
 * Returns the figure whose name is @name or begins with it; NULL: there is none. Breakdowns are
 * known only to reports of accesses to memory: @memory.
 */
const struct figure *figure_find(const char *name, bool memory);

/* Returns the figure with exactly this name, which must exist. */
const struct figure *figure_get(const char *name);

/* Calls @each for all figures, in the order of the table. */
void figures_for_each(void (*each)(void *arg, const struct figure *f), void *arg);

/* Returns the value of @o, which is not ROW_BY_KEY, in @row. */
uint64_t figure_value(const struct row_order *o, const struct report_row *row);
