/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A client for ClickHouse's HTTP interface (store/http.h).
 *
 * Errors come with a diag, like those of store/postgresql.h: -EAGAIN: the server is unreachable,
 * overloaded, or the connection broke in the middle; the same request may succeed later. -ENOENT:
 * no such database or table. -EACCES: not allowed. -EEXIST: it exists already. Others: the
 * statement is wrong.
 */
#include <stddef.h>

#include "store/tab-rows.h"

struct clickhouse;
struct diag;
struct patience;
struct text;

struct clickhouse_server {
	const char *url;                 /* http://host:8123 or https://host:8443, without a path */
	const char *database;            /* NULL: the user's default */
	const char *user;                /* NULL: "default" */
	const char *password;            /* NULL: none */
	const struct patience *patience; /* as in store/http.h, borrowed; or NULL */
};

/*
 * Makes a client for @server, whose texts are copied. Nothing is sent yet. Errors: those of
 * http_new().
 */
int clickhouse_open(const struct clickhouse_server *server, struct clickhouse **ret,
		    struct diag *diag);
struct clickhouse *clickhouse_close(struct clickhouse *c); /* accepts NULL; returns NULL */

/* Executes one statement without rows. */
int clickhouse_run(struct clickhouse *c, const char *sql, struct diag *diag);

/* Executes one SELECT, without FORMAT, and hands its rows of @n_columns to @row. */
int clickhouse_select(struct clickhouse *c, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag);

/*
 * Adds rows, in the form of a tab_writer, to @table: "name (column, column)". They become one
 * block: of a partition, either all of them are stored or none, whatever happens to the server in
 * the meantime.
 */
int clickhouse_insert(struct clickhouse *c, const char *table, const struct text *rows,
		      struct diag *diag);

/*
 * Returns the errno for a refusal of the server, as above. @text is its body, which begins with
 * "Code: 60" if ClickHouse itself wrote it.
 */
int clickhouse_errno(int status, const char *text);
