/* SPDX-License-Identifier: MIT */
#pragma once
/* The tables of a recording as virtual tables of SQLite. Only built with SQLite. */
#include "store/sqlite.h"

struct diag;
struct recording;

/* Data that the tables of one recording share. It outlives the database. */
struct table_host {
	struct recording *recording;
	unsigned number;   /* the recording's number; the upper half of stack numbers */
	struct diag *diag; /* the reason why rows could not be read */
	int error;         /* and the error; 0: none */
};

#define STACK_NUMBER_BITS 32

#if HAVE_SQLITE3
/* Makes all tables of @host in the database's schema @schema. Returns SQLite's status. */
int tables_make(sqlite3 *db, struct table_host *host, const char *schema);
#endif
