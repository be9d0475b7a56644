/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings as a database that SQL reads: its tables are virtual, nothing is imported.
 *
 *	database_open()
 *	database_prepare()	for each statement of a text
 *	statement_step()	for each row; statement_value() for each cell
 *
 * With one recording, its tables are those of the main schema. With several, each has a schema of
 * its own, called as the file is; names without a schema mean the first that has them. Statements
 * that would write are refused.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/query-value.h"

struct query_tables;
struct database;
struct diag;
struct recording_source;
struct session;
struct statement;

/* More than this many recordings cannot be attached. */
#define DATABASE_RECORDINGS_MAX 10

struct database_input {
	const char *schema; /* not used if it is the only one */
	const struct recording_source *source;
};

/* @inputs are borrowed. Errors: those of sqlite_load() and of reading, with @diag. */
int database_open(const struct database_input *inputs, size_t n, struct database **ret,
		  struct diag *diag);
void database_close(struct database *db);
static inline void database_closep(struct database **db)
{
	database_close(*db);
}

/* The tables of recording @i, and what it was read as. */
const struct query_tables *database_tables(const struct database *db, size_t i);
struct session *database_session(const struct database *db, size_t i);

/*
 * Prepares the first statement of @sql; *@ret_rest is what follows it. *@ret is NULL if there is
 * none, but blanks or comments. -EINVAL with @diag: a mistake, which is marked.
 */
int database_prepare(struct database *db, const char *sql, struct statement **ret,
		     const char **ret_rest, struct diag *diag);
void statement_free(struct statement *s);
DEFINE_FREEP(statement)

/* Goes to the next row: 1. 0: there is none. A negative errno with @diag. */
int statement_step(struct statement *s, struct diag *diag);

size_t statement_columns(const struct statement *s);
const char *statement_column_name(const struct statement *s, size_t i);

/* Of the row under way; good until the next step. */
struct query_value statement_value(const struct statement *s, size_t i);
