/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A connection to PostgreSQL through libpq, which is loaded when it is first needed.
 *
 * Errors come with a diag. -EAGAIN: the server is unreachable, was shut down, or gave up because of
 * other clients (deadlock, serialization, lack of resources); the same may succeed later, after
 * postgresql_close() and postgresql_open() if postgresql_is_lost(). -ENOENT: no such database or
 * table. -EACCES: not allowed. -EEXIST: it exists already. -EINTR: patience is over, and the
 * connection lost. Others: the statement is wrong.
 *
 * Rows are sent as text in both directions (store/tab-rows.h), by COPY.
 */
#include <stdbool.h>
#include <stddef.h>

#include "store/tab-rows.h"

struct diag;
struct patience;
struct postgresql;
struct text;

/*
 * Connects to @url, postgresql://user@host:port/database?parameter=value. Passwords come from the
 * places where libpq finds them (~/.pgpass, PGPASSFILE, PGPASSWORD), and are refused in @url:
 * -EINVAL. A server that is not on this machine must have a certificate for its name
 * (sslmode=verify-full), unless @url says otherwise. @patience is borrowed as long as the
 * connection exists; NULL: it never ends. -ENOENT, -ENOTSUP: there is no libpq, in the system or in
 * this build.
 */
int postgresql_open(const char *url, const struct patience *patience, struct postgresql **ret,
		    struct diag *diag);

/* Closes the connection; accepts NULL; returns NULL. The server rolls back an open transaction. */
struct postgresql *postgresql_close(struct postgresql *pg);

/* True if the connection broke: no statement will succeed on it. */
bool postgresql_is_lost(const struct postgresql *pg);

/* Executes one or several statements, whose rows, if any, are ignored. */
int postgresql_run(struct postgresql *pg, const char *sql, struct diag *diag);

/*
 * Executes one SELECT, or INSERT ... RETURNING, and passes its rows of @n_columns to @row. A
 * negative result of @row is returned after the rest was read.
 */
int postgresql_select(struct postgresql *pg, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag);

/* Adds rows, in the form of a tab_writer, to @table: "name (column, column)". */
int postgresql_copy(struct postgresql *pg, const char *table, const struct text *rows,
		    struct diag *diag);

/* Returns the errno for SQLSTATE @state (NULL: there is none), as above. */
int postgresql_errno(const char *state);
