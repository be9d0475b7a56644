/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The numbers of the rows of an export, and their way to who takes them. Private to tools/script.
 */
#include "profile/export.h"

struct export_rows {
	int (*row)(void *arg, enum export_table table, const struct export_value *values, size_t n);
	void *arg;
	uint64_t last[EXPORT_TABLES]; /* the number of each table's last row */
};

/* A row as it is. */
static inline int export_row(struct export_rows *x, enum export_table table,
			     const struct export_value *values, size_t n)
{
	return x->row(x->arg, table, values, n);
}

/* The number that the next row of @table gets. */
static inline uint64_t export_rows_next(const struct export_rows *x, enum export_table table)
{
	return x->last[table] + 1;
}

/* A row whose first value becomes the next number of its table, which is *@ret_id before. */
int export_new_row(struct export_rows *x, enum export_table table,
		   const struct export_value *values, size_t n, uint64_t *ret_id);
