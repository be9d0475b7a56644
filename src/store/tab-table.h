/* SPDX-License-Identifier: MIT */
#pragma once
/* The rows of a fleet's tables in the form that servers accept and return (store/tab-rows.h). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "store/tables.h"

struct diag;
struct fleet_data;
struct tab_cell;
struct tab_writer;
struct text;

/* Adds one row of table @t. */
void fleet_tab_add(struct tab_writer *w, enum fleet_table t, const union fleet_cell *row);

/* Appends "id, parent, frame". */
void fleet_tab_columns(struct text *t, enum fleet_table table);

/* Appends "perf_stack (id, parent, frame)". */
void fleet_tab_target(struct text *t, enum fleet_table table);

/* Appends numbers, such as "1,2,3". */
void fleet_tab_numbers(struct text *t, const int64_t *numbers, size_t n);

/* The destination of a SELECT's rows, used as the argument of these functions: */
struct fleet_tab_sink {
	struct fleet_data *data;
	enum fleet_table table;
	struct diag *diag;
};

/* A tab_row_fn for rows of a table, with all columns in order. */
int fleet_tab_take(void *sink, const struct tab_cell *cells);

/* A tab_row_fn for rows of fleet_select_weights(). */
int fleet_tab_take_weight(void *sink, const struct tab_cell *cells);

/*
 * Numbers of one column, in the order in which they came. `struct fleet_ids ids = { .diag = diag
 * };`
 */
struct fleet_ids {
	int64_t *items;
	size_t n, room;
	struct u64_map set;
	struct diag *diag;
};

void fleet_ids_done(struct fleet_ids *ids);
bool fleet_ids_has(const struct fleet_ids *ids, int64_t id);

/* Adds the id in a row to @ids. A tab_row_fn. */
int fleet_tab_take_id(void *ids, const struct tab_cell *cells);
