/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How a unit of aggregation is named: "CPU0", "S0-D0-C0", "sleep-4".
 *
 * One row of a table for each aggregation; text, CSV and JSON compose their prefixes from it. Names
 * are raw (a thread's is whatever it calls itself): whoever prints them escapes them.
 */
#include <stdbool.h>

#include "base/text.h"
#include "count/stat.h"

struct stat_aggregate {
	const char *key;     /* in JSON, and heading of the column in CSV */
	const char *heading; /* in text, as wide as the prefix of a row */
	const char *label;   /* before the name in text and CSV; JSON's key says it */
	void (*name)(struct text *t, const struct stat_unit *u, int width);
	int width;     /* that text gives to the last number */
	bool has_cpus; /* the number of CPUs is the next column */
};

/* The aggregation of @a's rows, or of those of one core among CPUs. NULL for STAT_GLOBAL. */
const struct stat_aggregate *stat_aggregate_find(enum stat_aggregation a, bool per_core);

/* The prefix of a text row, aligned, with a blank after each column. */
void stat_aggregate_add_text(struct text *t, enum stat_aggregation a, const struct stat_row *r);

/* The columns of a CSV row, with @separator after each; and those of its heading. */
void stat_aggregate_add_csv(struct text *t, enum stat_aggregation a, const struct stat_row *r,
			    const char *separator);
void stat_aggregate_add_csv_heading(struct text *t, enum stat_aggregation a, const char *separator);
