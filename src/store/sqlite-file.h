/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An SQLite file with a fleet's tables, opened so that it can do no harm.
 *
 * The file is untrusted. Nothing in it is executed: views, triggers and generated columns are
 * refused, and functions of its schema are not trusted. Reading may take a number of SQLite steps
 * in proportion to the size of the file. The rows are not checked here (store/sqlite-store.c).
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "store/sqlite.h"

#if HAVE_SQLITE3
struct diag;
struct patience;

struct sqlite_file {
	char *path;
	sqlite3 *db;
	bool is_parcel;
	struct budget steps; /* the budget for reading */
	const struct patience *patience;
};

enum {
	SQLITE_FILE_WRITE = 1 << 0,  /* the file is made, or upgraded to the newest version */
	SQLITE_FILE_PARCEL = 1 << 1, /* one process writes it and then passes it on: parcel.h */
};

/*
 * Opens the file at @path. @patience, which may be NULL, must outlive @f, which must not be moved.
 * Errors are those of fleet_store_open(), with a message; @f is then closed.
 */
int sqlite_file_open(struct sqlite_file *f, const char *path, const struct patience *patience,
		     unsigned flags, struct diag *diag);
void sqlite_file_close(struct sqlite_file *f);

/* Returns the last error of SQLite, as a negative errno with a message. */
int sqlite_file_explain(const struct sqlite_file *f, struct diag *diag);

int sqlite_file_prepare(struct sqlite_file *f, const char *sql, sqlite3_stmt **ret,
			struct diag *diag);
int sqlite_file_run(struct sqlite_file *f, const char *sql, struct diag *diag);

/* Gets the single number that @sql returns; 0: none. */
int sqlite_file_number(struct sqlite_file *f, const char *sql, int64_t *ret, struct diag *diag);
#endif
