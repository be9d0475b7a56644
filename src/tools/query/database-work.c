/* SPDX-License-Identifier: MIT */
#include "tools/query/database-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "store/sqlite.h"
#include "tools/query/recording-work.h"
#include "tools/query/virtual-tables-work.h"

#if HAVE_SQLITE3

#include "base/memory.h"
#include "base/text.h"
#include "tools/query/explain-work.h"
#include "tools/query/functions-work.h"

struct database {
	sqlite3 *sqlite;
	struct table_host **hosts;
	size_t n;
	struct function_hosts function_hosts;
	struct diag reading; /* the reason why rows could not be read */
	const char *refused; /* the rejected operation of a statement */
};

struct statement {
	struct database *db;
	sqlite3_stmt *sqlite;
};

/* Permits only operations that read rows or describe tables. */
static int query_database_authorize(void *arg, int action, const char *a, const char *b,
				    const char *schema, const char *trigger)
{
	struct database *db = arg;

	(void)b, (void)schema, (void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_PRAGMA:
		if (!strcmp(a, "table_info") || !strcmp(a, "table_xinfo") ||
		    !strcmp(a, "table_list") || !strcmp(a, "function_list"))
			return SQLITE_OK;
		db->refused = "PRAGMA";
		return SQLITE_DENY;
	case SQLITE_ATTACH:
		db->refused = "ATTACH";
		return SQLITE_DENY;
	default:
		db->refused = "what changes a database";
		return SQLITE_DENY;
	}
}

static int fail_sqlite(struct database *db, struct diag *diag)
{
	return diag_set(diag, -EIO, "SQLite: %s", sqlite3_errmsg(db->sqlite));
}

static int query_database_attach(struct database *db, const char *schema, struct diag *diag)
{
	char *sql = sqlite3_mprintf("ATTACH ':memory:' AS \"%w\"", schema);
	int status = sql ? sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return status == SQLITE_OK ? 0 : fail_sqlite(db, diag);
}

static int query_database_add_recording(struct database *db, const struct database_input *in,
					bool alone, struct diag *diag)
{
	struct table_host *host = xcalloc(1, sizeof(*host));
	int r;

	host->number = (unsigned)db->n;
	host->diag = &db->reading;
	db->hosts[db->n++] = host;
	r = recording_open(in->source, &host->recording, diag);
	if (r >= 0 && !alone)
		r = query_database_attach(db, in->schema, diag);
	if (r < 0)
		return r;
	if (tables_make(db->sqlite, host, alone ? "main" : in->schema) != SQLITE_OK)
		return fail_sqlite(db, diag);
	return 0;
}

int database_open(const struct database_input *inputs, size_t n, struct database **ret,
		  struct diag *diag)
{
	_cleanup_(database_closep) struct database *db = NULL;
	int r = sqlite_load(diag);

	if (r < 0)
		return r;
	if (n > DATABASE_RECORDINGS_MAX)
		return diag_set(diag, -E2BIG, "at most %d recordings can be read together",
				DATABASE_RECORDINGS_MAX);
	db = xcalloc(1, sizeof(*db));
	db->hosts = xcalloc(n, sizeof(struct table_host *));
	if (sqlite3_open_v2(":memory:", &db->sqlite,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
				    SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		return diag_set(diag, -ENOMEM, "SQLite cannot make a database in memory");
	for (size_t i = 0; i < n; i++) {
		r = query_database_add_recording(db, &inputs[i], n == 1, diag);
		if (r < 0)
			return r;
	}
	db->function_hosts = (struct function_hosts){ db->hosts, n };
	if (functions_add(db->sqlite, &db->function_hosts) != SQLITE_OK)
		return fail_sqlite(db, diag);
	sqlite3_set_authorizer(db->sqlite, query_database_authorize, db);
	*ret = TAKE(db);
	return 0;
}

void database_close(struct database *db)
{
	if (!db)
		return;
	sqlite3_close(db->sqlite);
	for (size_t i = 0; i < db->n; i++) {
		recording_free(db->hosts[i]->recording);
		free(db->hosts[i]);
	}
	free(db->hosts);
	diag_done(&db->reading);
	free(db);
}

const struct query_tables *database_tables(const struct database *db, size_t i)
{
	return recording_tables(db->hosts[i]->recording);
}

struct session *database_session(const struct database *db, size_t i)
{
	return recording_session(db->hosts[i]->recording);
}

static int query_database_refuse(struct database *db, const char *sql, struct diag *diag)
{
	const struct explained_error e = {
		.sql = sql,
		.message = sqlite3_errmsg(db->sqlite),
		.offset = sqlite3_error_offset(db->sqlite),
		.refused = db->refused,
		.tables = recording_tables(db->hosts[0]->recording),
	};

	return explain_error(&e, diag);
}

int database_prepare(struct database *db, const char *sql, struct statement **ret,
		     const char **ret_rest, struct diag *diag)
{
	sqlite3_stmt *made = NULL;
	const char *rest = NULL;
	struct statement *s;

	db->refused = NULL;
	for (size_t i = 0; i < db->n; i++)
		recording_begin(db->hosts[i]->recording);
	if (sqlite3_prepare_v2(db->sqlite, sql, -1, &made, &rest) != SQLITE_OK)
		return query_database_refuse(db, sql, diag);
	*ret_rest = rest;
	*ret = NULL;
	if (!made)
		return 0;
	s = xcalloc(1, sizeof(*s));
	s->db = db;
	s->sqlite = made;
	*ret = s;
	return 0;
}

void statement_free(struct statement *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->sqlite);
	free(s);
}

int statement_step(struct statement *s, struct diag *diag)
{
	struct database *db = s->db;
	int status = sqlite3_step(s->sqlite);

	if (status == SQLITE_ROW)
		return 1;
	if (status == SQLITE_DONE)
		return 0;
	for (size_t i = 0; i < db->n; i++) {
		if (!db->hosts[i]->error)
			continue;
		diag_done(diag);
		*diag = db->reading;
		db->reading = (struct diag){ 0 };
		return db->hosts[i]->error;
	}
	return diag_set(diag, status == SQLITE_NOMEM ? -ENOMEM : -EINVAL, "%s",
			sqlite3_errmsg(db->sqlite));
}

size_t statement_columns(const struct statement *s)
{
	return (size_t)sqlite3_column_count(s->sqlite);
}

const char *statement_column_name(const struct statement *s, size_t i)
{
	const char *name = sqlite3_column_name(s->sqlite, (int)i);

	return name ? name : "";
}

struct query_value statement_value(const struct statement *s, size_t i)
{
	struct query_value v = { .kind = CELL_NULL };

	switch (sqlite3_column_type(s->sqlite, (int)i)) {
	case SQLITE_INTEGER:
		v.kind = CELL_NUMBER;
		v.number = sqlite3_column_int64(s->sqlite, (int)i);
		break;
	case SQLITE_FLOAT:
		v.kind = CELL_REAL;
		v.real = sqlite3_column_double(s->sqlite, (int)i);
		break;
	case SQLITE_TEXT:
	case SQLITE_BLOB:
		v.kind = CELL_TEXT;
		v.text.bytes = sqlite3_column_blob(s->sqlite, (int)i);
		v.text.n = (size_t)sqlite3_column_bytes(s->sqlite, (int)i);
		if (!v.text.bytes)
			v.text.bytes = "";
		break;
	}
	return v;
}

#else

int database_open(const struct database_input *inputs, size_t n, struct database **ret,
		  struct diag *diag)
{
	(void)inputs, (void)n, (void)ret;
	return sqlite_load(diag);
}

void database_close(struct database *db)
{
	(void)db;
}

const struct query_tables *database_tables(const struct database *db, size_t i)
{
	(void)db, (void)i;
	return NULL;
}

struct session *database_session(const struct database *db, size_t i)
{
	(void)db, (void)i;
	return NULL;
}

int database_prepare(struct database *db, const char *sql, struct statement **ret,
		     const char **ret_rest, struct diag *diag)
{
	(void)db, (void)sql, (void)ret, (void)ret_rest;
	return sqlite_load(diag);
}

void statement_free(struct statement *s)
{
	(void)s;
}

int statement_step(struct statement *s, struct diag *diag)
{
	(void)s;
	return sqlite_load(diag);
}

size_t statement_columns(const struct statement *s)
{
	(void)s;
	return 0;
}

const char *statement_column_name(const struct statement *s, size_t i)
{
	(void)s, (void)i;
	return "";
}

struct query_value statement_value(const struct statement *s, size_t i)
{
	(void)s, (void)i;
	return (struct query_value){ .kind = CELL_NULL };
}

#endif
