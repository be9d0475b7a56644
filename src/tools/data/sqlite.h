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
 * Rows of numbers on their way to a database: a thread writes them while the next are made.
 *
 * `struct sql_batches b = { .write = write, .arg = arg };`, then sql_batches_init(). On a machine
 * with one CPU rows are written at once.
 */

#define SQL_BATCHES      4
#define SQL_BATCH_VALUES 16384

struct relay;

/* Rows one behind the other: the table, the number of values, and the values. */
struct sql_batch {
	int64_t items[SQL_BATCH_VALUES];
	size_t n;
};

struct sql_batches {
	void (*write)(void *arg, enum sql_table table, const int64_t *numbers, size_t n);
	void *arg;
	/* private: */
	struct relay *relay; /* NULL: the caller's thread does it */
	struct sql_batch *items;
	struct sql_batch *filling; /* or NULL */
};

void sql_batches_init(struct sql_batches *b);
void sql_batches_done(struct sql_batches *b);

/* A row of @n numbers, at most SQL_COLUMNS_MAX. write() gets it now, or later in another thread. */
void sql_batches_add(struct sql_batches *b, enum sql_table table, const struct sql_value *values,
		     size_t n);

/* Waits until all rows are written: then, until the next row, write() is not called. */
void sql_batches_wait(struct sql_batches *b);
