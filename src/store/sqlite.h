/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * SQLite, loaded when it is first needed.
 *
 * After sqlite_load() the functions of sqlite3.h are called by their names, as in an extension of
 * SQLite: each is a member of the table that the library gives its extensions.
 */
#include <config.h>

struct diag;

#if HAVE_SQLITE3
#include <sqlite3ext.h>

extern const struct sqlite3_api_routines *sqlite3_api;
#endif

/* Older versions lack functions that are called here. */
#define SQLITE_OLDEST 3038000

/*
 * Loads the library; later calls do nothing. To be called before there are threads. -ENOENT with
 * @diag: it is not installed, or too old. -ENOTSUP: this perf was built without it.
 */
int sqlite_load(struct diag *diag);
