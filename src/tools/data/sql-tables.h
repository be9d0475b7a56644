/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables and views of a recording in a database: those of the scripts export-to-sqlite and
 * export-to-postgresql, without the data that only hardware traces give. Rows refer to each other
 * by id; id 0 is a row that means unknown.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum sql_table {
	SQL_EVENTS,
	SQL_MACHINES,
	SQL_THREADS,
	SQL_COMMS,
	SQL_COMM_THREADS,
	SQL_DSOS,
	SQL_SYMBOLS,
	SQL_BRANCH_TYPES,
	SQL_CALL_PATHS,
	SQL_SAMPLES,
	SQL_SWITCHES,
	N_SQL_TABLES,
};

#define SQL_COLUMNS_MAX 25

/* A text, or a number if there is none. */
struct sql_value {
	const char *text;
	int64_t number;
};

/* The databases, which differ a little. */
enum sql_dialect {
	SQL_SQLITE,
	SQL_POSTGRESQL,
};

const char *sql_table_name(enum sql_table t);
size_t sql_table_columns(enum sql_table t);
bool sql_table_has_texts(enum sql_table t);

/*
 * Append a statement, without its semicolon: for the table; for the view @i, from 0 to SQL_VIEWS -
 * 1.
 */
void sql_add_table(struct text *out, enum sql_table t, enum sql_dialect d);
void sql_add_view(struct text *out, size_t i, enum sql_dialect d);
size_t sql_views(void);
