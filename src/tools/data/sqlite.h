/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording as a SQLite database, with the tables and views of sql-tables.h.
 */
#include "tools/data/format.h"
#include "tools/data/sql-tables.h"

#include <stddef.h>
#include <stdint.h>

extern const struct export_format export_sqlite;

/*
 * Batches of rows of numbers for a database: a thread writes them while the next are made.
 *
 * `struct sql_batches b = { .write = write, .arg = arg };`, then sql_batches_init(). On a machine
 * with one CPU rows are written immediately.
 */

#define SQL_BATCHES      4
#define SQL_BATCH_VALUES 16384

struct relay;

/* A batch of consecutive rows: the table, the number of values, and the values. */
struct sql_batch {
	int64_t items[SQL_BATCH_VALUES];
	size_t n;
};

struct sql_batches {
	void (*write)(void *arg, enum export_table table, const int64_t *numbers, size_t n);
	void *arg;
	/* private: */
	struct relay *relay; /* NULL: the caller's thread does the work */
	struct sql_batch *items;
	struct sql_batch *filling; /* or NULL */
};

void sql_batches_init(struct sql_batches *b);
void sql_batches_done(struct sql_batches *b);

/*
 * Adds a row of @n numbers, at most EXPORT_COLUMNS_MAX. write() gets it now, or later in another
 * thread.
 */
void sql_batches_add(struct sql_batches *b, enum export_table table,
		     const struct export_value *values, size_t n);

/*
 * Waits until all rows are written. After this, write() is not called until the next row is added.
 */
void sql_batches_wait(struct sql_batches *b);
