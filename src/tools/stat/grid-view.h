/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A transposed table for --metric-only: a line for each unit of aggregation, a column for each
 * metric.
 *
 * Rates and clocks have no column. The grid owns its arrays and headings and borrows the rest from
 * the table. Memory: lines times columns.
 */
#include <stddef.h>

#include "count/stat.h"

struct stat_column {
	const struct stat_event *event;
	size_t index;  /* among the event's metrics */
	char *heading; /* unique, unless the same event occurs twice */
};

struct stat_grid {
	struct {
		struct stat_column *items;
		size_t n, room;
	} columns;
	struct {
		const struct stat_row **items; /* one row of each unit, which has its name */
		size_t n, room;
	} lines;
	const struct stat_metric **cells;
};

void stat_grid_init(struct stat_grid *g, const struct stat_table *t);
void stat_grid_done(struct stat_grid *g);

/* Returns the metric in a cell, or NULL if there is no value to show. */
const struct stat_metric *stat_grid_get(const struct stat_grid *g, size_t line, size_t column);
