/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * ClickHouse through its HTTP interface (store/http.h).
 *
 * Errors come with a diag, as those of store/postgresql.h: -EAGAIN: the server is away, overloaded,
 * or was cut off in the middle: the same may succeed later. -ENOENT: no such database or table.
 * -EACCES: not allowed. -EEXIST: it is there already. Others: the statement is wrong.
 */
#include <stddef.h>

#include "store/tab-rows.h"

struct clickhouse;
struct diag;
struct patience;
struct text;

struct clickhouse_server {
	const char *url;      /* http://host:8123 or https://host:8443, nothing behind it */
	const char *database; /* NULL: the user's default */
	const char *user;     /* NULL: "default" */
	const char *password; /* NULL: none */
	const struct patience *patience; /* of store/http.h, borrowed; or NULL */
};

/* What @server says is copied. Nothing is sent yet. Errors: those of http_new(). */
int clickhouse_open(const struct clickhouse_server *server, struct clickhouse **ret,
		    struct diag *diag);
struct clickhouse *clickhouse_close(struct clickhouse *c); /* NULL is fine; returns NULL */

/* Executes one statement without rows. */
int clickhouse_run(struct clickhouse *c, const char *sql, struct diag *diag);

/* Executes one SELECT, without FORMAT, and hands its rows of @n_columns to @row. */
int clickhouse_select(struct clickhouse *c, const char *sql, size_t n_columns, tab_row_fn *row,
		      void *arg, struct diag *diag);

/*
 * Adds rows, as a tab_writer has them, to @table: "name (column, column)". They become one block:
 * of a partition, all of them or none is there, whatever happens to the server meanwhile.
 */
int clickhouse_insert(struct clickhouse *c, const char *table, const struct text *rows,
		      struct diag *diag);

/*
 * What the server's refusal makes of an error: the errno, as above. @text is its body, which begins
 * with "Code: 60" if ClickHouse itself wrote it.
 */
int clickhouse_errno(int status, const char *text);
