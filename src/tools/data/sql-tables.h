/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables and views of a recording in a database: those of the scripts export-to-sqlite and
 * export-to-postgresql, without the data that only hardware traces give. Rows refer to each other
 * by id; id 0 is a row that means unknown.
 */
#include <stdbool.h>
#include <stddef.h>

#include "profile/export.h"

struct text;

/* The databases, which differ a little. */
enum sql_dialect {
	SQL_SQLITE,
	SQL_POSTGRESQL,
};

const char *sql_table_name(enum export_table t);
size_t sql_table_columns(enum export_table t);
bool sql_table_has_texts(enum export_table t);

/*
 * Append a statement, without its semicolon: for the table; for the view @i, from 0 to SQL_VIEWS -
 * 1.
 */
void sql_add_table(struct text *out, enum export_table t, enum sql_dialect d);
void sql_add_view(struct text *out, size_t i, enum sql_dialect d);
size_t sql_views(void);
