/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A connection to PostgreSQL through libpq, which is loaded when it is first needed.
 *
 * Errors come with a diag. -EAGAIN: the server is away, was shut down, or gave up for the sake of
 * others (deadlock, serialization, lack of resources): the same may succeed later, after
 * postgresql_close() and postgresql_open() if postgresql_is_lost(). -ENOENT: no such database or
 * table. -EACCES: not allowed. -EEXIST: it is there already. -EINTR: patience is over, and the
 * connection lost. Others: the statement is wrong.
 *
 * Rows travel as text in both directions (store/tab-rows.h), by COPY.
 */
#include <stdbool.h>
#include <stddef.h>

#include "store/tab-rows.h"

struct diag;
struct patience;
struct postgresql;
struct text;

/*
 * Connects to @url, postgresql://user@host:port/database?parameter=value. Passwords come from where
 * libpq finds them (~/.pgpass, PGPASSFILE, PGPASSWORD), and are refused in @url: -EINVAL. A server
 * that is not on this machine must have a certificate for its name (sslmode=verify-full), unless
 * @url says otherwise. @patience is borrowed as long as the connection lives; NULL: it has no end.
 * -ENOENT, -ENOTSUP: there is no libpq, in the system or in this build.
 */
int postgresql_open(const char *url, const struct patience *patience, struct postgresql **ret,
		    struct diag *diag);

/* NULL is fine; returns NULL. A transaction that is open is rolled back by the server. */
struct postgresql *postgresql_close(struct postgresql *pg);

/* Whether the connection broke: no statement will succeed on it. */
bool postgresql_is_lost(const struct postgresql *pg);

/* Executes one or several statements, whose rows, if any, are not looked at. */
int postgresql_run(struct postgresql *pg, const char *sql, struct diag *diag);

/*
 * Executes one SELECT, or INSERT ... RETURNING, and hands its rows of @n_columns to @row. A
 * negative result of @row is returned after the rest was read.
 */
int postgresql_select(struct postgresql *pg, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag);

/* Adds rows, as a tab_writer has them, to @table: "name (column, column)". */
int postgresql_copy(struct postgresql *pg, const char *table, const struct text *rows,
		    struct diag *diag);

/* What SQLSTATE @state (NULL: there is none) makes of an error: the errno, as above. */
int postgresql_errno(const char *state);
