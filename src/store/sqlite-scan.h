/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads what a filter chooses out of a SQLite file, and adds it up.
 *
 * Several threads, each with a connection of its own, take one stretch of time after the other.
 * Rows do not leave SQLite: the SELECT calls a function that takes them, which costs half of what
 * returning them does. What a row adds to is in one table for all threads, so that memory does not
 * grow with their number.
 */
#include "store/sqlite.h"

#if HAVE_SQLITE3
struct diag;
struct fleet_data;
struct fleet_filter;
struct sqlite_file;

/* Does the work of fleet_store_class.weights. @file is used by the calling thread only. */
int sqlite_scan(struct sqlite_file *file, const struct fleet_filter *f, struct fleet_data *d,
		struct diag *diag);
#endif
