/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * SQL functions that SQLite lacks: percentile(), median(), regexp(), bucket(), ns(), seconds(),
 * address(), stack() and syscall(). Only built with SQLite.
 */
#include <stddef.h>

#include "store/sqlite.h"

struct table_host;

/* The recordings that stack() can use. */
struct function_hosts {
	struct table_host *const *items;
	size_t n;
};

#if HAVE_SQLITE3
/* Adds all functions to @db. @hosts are borrowed. Returns SQLite's status. */
int functions_add(sqlite3 *db, const struct function_hosts *hosts);
#endif
