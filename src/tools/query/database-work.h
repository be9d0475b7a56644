/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings as a database for SQL. Its tables are virtual; nothing is imported.
 *
 *	database_open()
 *	database_prepare()	for each statement of a text
 *	statement_step()	for each row; statement_value() for each cell
 *
 * With one recording, its tables are those of the main schema. With several, each recording has a
 * schema of its own, with the name of its file. Names without a schema mean the first schema that
 * has them. Statements that would write are rejected.
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

/* The maximum number of recordings that can be attached. */
#define DATABASE_RECORDINGS_MAX 10

struct database_input {
	const char *schema; /* not used for a single recording */
	const struct recording_source *source;
};

/*
 * Opens the database. @inputs are borrowed. Errors are those of sqlite_load() and of reading, with
 * @diag.
 */
int database_open(const struct database_input *inputs, size_t n, struct database **ret,
		  struct diag *diag);
void database_close(struct database *db);
static inline void database_closep(struct database **db)
{
	database_close(*db);
}

/* Return the tables of recording @i, and the session from which they are read. */
const struct query_tables *database_tables(const struct database *db, size_t i);
struct session *database_session(const struct database *db, size_t i);

/*
 * Prepares the first statement of @sql. *@ret_rest is the text after it. *@ret is NULL if there is
 * no statement, only blanks or comments. Returns -EINVAL with @diag, in which the mistake is
 * marked.
 */
int database_prepare(struct database *db, const char *sql, struct statement **ret,
		     const char **ret_rest, struct diag *diag);
void statement_free(struct statement *s);
DEFINE_FREEP(statement)

/*
 * Goes to the next row. Returns 1 if there is one, 0 if there is none, or a negative errno with
 * @diag.
 */
int statement_step(struct statement *s, struct diag *diag);

size_t statement_columns(const struct statement *s);
const char *statement_column_name(const struct statement *s, size_t i);

/* Returns a value of the current row. It is valid until the next step. */
struct query_value statement_value(const struct statement *s, size_t i);
