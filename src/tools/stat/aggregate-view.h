/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names of units of aggregation: "CPU0", "S0-D0-C0", "sleep-4".
 *
 * There is one row of a table for each aggregation; text, CSV and JSON compose their prefixes from
 * it. Names are not escaped (a thread may choose any name); the code that prints them escapes them.
 */
#include <stdbool.h>

#include "base/text.h"
#include "count/stat.h"

struct stat_aggregate {
	const char *key;     /* in JSON, and as the heading of the column in CSV */
	const char *heading; /* in text; as wide as the prefix of a row */
	const char *label;   /* in front of the name in text and CSV; JSON has the key */
	void (*name)(struct text *t, const struct stat_unit *u, int width);
	int width;     /* the width of the last number in text */
	bool has_cpus; /* the next column is the number of CPUs */
};

/*
 * Returns the aggregation of @a's rows, or, if @per_core, of rows of one core among CPUs. NULL for
 * STAT_GLOBAL.
 */
const struct stat_aggregate *stat_aggregate_find(enum stat_aggregation a, bool per_core);

/* Appends the prefix of a text row, aligned, with a blank after each column. */
void stat_aggregate_add_text(struct text *t, enum stat_aggregation a, const struct stat_row *r);

/* Append the columns of a CSV row, with @separator after each, and those of its heading. */
void stat_aggregate_add_csv(struct text *t, enum stat_aggregation a, const struct stat_row *r,
			    const char *separator);
void stat_aggregate_add_csv_heading(struct text *t, enum stat_aggregation a, const char *separator);
