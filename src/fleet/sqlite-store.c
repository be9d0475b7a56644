/* SPDX-License-Identifier: MIT */
/*
 * A store in a file, without a server: for one machine, a small fleet, or what is yet to be sent.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "fleet/data.h"
#include "fleet/parcel.h"
#include "fleet/select.h"
#include "fleet/store.h"
#include "fleet/sums.h"
#include "fleet/url.h"
#include "sql/sqlite.h"

#if HAVE_SQLITE3

/* How long others may write until we give up. */
#define BUSY_MS 30000

struct sqlite_store {
	struct fleet_store store;
	char *path;
	sqlite3 *db;
	bool is_parcel; /* a file that one process writes and then hands on: fleet/parcel.h */
};

static int explain(const struct sqlite_store *s, struct diag *diag)
{
	int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM;
	const char *why = s->db ? sqlite3_errmsg(s->db) : "there is no memory";

	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return diag_set(diag, -EAGAIN, "'%s' is in use by another program: %s", s->path,
				why);
	case SQLITE_FULL:
		return diag_set(diag, -EAGAIN, "no room for '%s' on its disk: %s", s->path, why);
	case SQLITE_NOTADB:
		return diag_set(diag, -EBADMSG, "'%s' is not a SQLite database", s->path);
	case SQLITE_CORRUPT:
		diag_set(diag, -EBADMSG, "'%s' is damaged: %s", s->path, why);
		diag_hint(diag, "sqlite3 %s .recover may save what is left.", s->path);
		return -EBADMSG;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		diag_set(diag, -EACCES, "cannot write '%s': %s", s->path, why);
		diag_hint(diag, "Is its directory there, and may you write into it?");
		return -EACCES;
	default:
		return diag_set(diag, -EIO, "'%s': %s", s->path, why);
	}
}

static int run(struct sqlite_store *s, const char *sql, struct diag *diag)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : explain(s, diag);
}

static void match_glob(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *glob = (const char *)sqlite3_value_text(values[0]);
	const char *text = (const char *)sqlite3_value_text(values[1]);

	(void)n;
	sqlite3_result_int(context, glob && text && glob_matches(glob, text));
}

/* The one number that @sql gives; 0: none. */
static int ask_number(struct sqlite_store *s, const char *sql, int64_t *ret, struct diag *diag)
{
	sqlite3_stmt *q;
	int r;

	*ret = 0;
	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
		return explain(s, diag);
	r = sqlite3_step(q);
	if (r == SQLITE_ROW)
		*ret = sqlite3_column_int64(q, 0);
	r = r == SQLITE_ROW || r == SQLITE_DONE ? 0 : explain(s, diag);
	sqlite3_finalize(q);
	return r;
}

static void add_definition(struct text *t, enum fleet_table table)
{
	fleet_add_columns(t, table, "INTEGER NOT NULL", "TEXT NOT NULL");
	if (table == FLEET_BATCH)
		text_add(t, ", rolled INTEGER NOT NULL DEFAULT 0");
	if (table == FLEET_SAMPLE)
		text_add(t, ", PRIMARY KEY (minute, batch, source, event, stack)) WITHOUT ROWID;");
	else if (table == FLEET_HOUR)
		text_add(t, ", PRIMARY KEY (hour, source, event, stack)) WITHOUT ROWID;");
	else
		text_add(t, ", PRIMARY KEY (id));");
}

/* Also from version 0 on, which had no sums. */
static int make_tables(struct sqlite_store *s, struct diag *diag)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int64_t n_columns;
	int r = ask_number(s, "SELECT count(*) FROM pragma_table_info('perf_batch')", &n_columns,
			   diag);

	if (r < 0)
		return r;
	if (n_columns == N_BATCH_COLUMNS)
		text_add(&t,
			 "ALTER TABLE perf_batch ADD COLUMN rolled INTEGER NOT NULL DEFAULT 0;");
	text_add(&t, "CREATE TABLE IF NOT EXISTS perf_schema (version INTEGER NOT NULL);"
		     "INSERT INTO perf_schema SELECT 0 WHERE NOT EXISTS "
		     "(SELECT * FROM perf_schema);");
	for (int i = 0; i < N_FLEET_TABLES; i++)
		add_definition(&t, (enum fleet_table)i);
	text_add(&t, "CREATE INDEX IF NOT EXISTS perf_batch_unrolled ON perf_batch (minute) "
		     "WHERE rolled = 0;");
	text_addf(&t, "UPDATE perf_schema SET version = %d;", FLEET_SCHEMA_VERSION);
	return run(s, t.chars, diag);
}

static int check_version(struct sqlite_store *s, bool writes, struct diag *diag)
{
	int64_t there, version;
	int r = ask_number(s, "SELECT count(*) FROM sqlite_master WHERE name = 'perf_schema'",
			   &there, diag);

	if (r >= 0 && !there && !writes)
		return fleet_refuse_empty(s->path, diag);
	if (r >= 0 && there)
		r = ask_number(s, "SELECT version FROM perf_schema", &version, diag);
	if (r < 0)
		return r;
	if (there && version > FLEET_SCHEMA_VERSION)
		return fleet_refuse_newer(s->path, version, diag);
	if (!writes || (there && version == FLEET_SCHEMA_VERSION))
		return 0;
	r = run(s, "BEGIN IMMEDIATE", diag);
	if (r >= 0)
		r = make_tables(s, diag);
	if (r >= 0)
		r = run(s, "COMMIT", diag);
	return r;
}

static void close_store(struct fleet_store *store)
{
	struct sqlite_store *s = (struct sqlite_store *)store;

	sqlite3_close(s->db);
	free(s->path);
	free(s);
}

static int open_database(struct sqlite_store *s, bool writes, struct diag *diag)
{
	/* A name that begins otherwise may mean something else than a file to SQLite. */
	_cleanup_(freep) char *path = xasprintf("%s%s", *s->path == '/' ? "" : "./", s->path);
	int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;

	if (!writes && access(path, F_OK) < 0)
		return diag_set(diag, -ENOENT,
				"there is no '%s': perf push --to sqlite:%s makes it", s->path,
				s->path);
	if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
		return explain(s, diag);
	sqlite3_extended_result_codes(s->db, 1);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	sqlite3_create_function(s->db, "glob_matches", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
				match_glob, NULL, NULL);
	if (s->is_parcel)
		return run(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL", diag);
	/* Readers do not wait for writers, nor these for them. What is committed stays. */
	return writes ? run(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", diag) : 0;
}

static int open_path(const char *path, bool is_parcel, bool writes, struct sqlite_store **ret,
		     struct diag *diag)
{
	struct sqlite_store *s;
	int r = sqlite_load(diag);

	if (r < 0)
		return r;
	s = xcalloc(1, sizeof(*s));
	s->store.class = &fleet_sqlite;
	s->path = xstrdup(path);
	s->is_parcel = is_parcel;
	r = open_database(s, writes, diag);
	if (r >= 0)
		r = check_version(s, writes, diag);
	if (r < 0) {
		close_store(&s->store);
		return r;
	}
	*ret = s;
	return 0;
}

static int open_store(const struct fleet_url *u, bool writes, struct fleet_store **ret,
		      struct diag *diag)
{
	struct sqlite_store *s;
	int r = open_path(u->target, false, writes, &s, diag);

	if (r >= 0)
		*ret = &s->store;
	return r;
}

static int prepare_insert(struct sqlite_store *s, enum fleet_table table, sqlite3_stmt **ret,
			  struct diag *diag)
{
	const struct fleet_table_type *type = &fleet_tables[table];
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "INSERT OR IGNORE INTO %s (", type->name);
	for (size_t i = 0; i < type->n_columns; i++)
		text_addf(&t, "%s%s", i ? ", " : "", type->columns[i].name);
	text_add(&t, ") VALUES (?");
	for (size_t i = 1; i < type->n_columns; i++)
		text_add(&t, ", ?");
	text_add(&t, ")");
	return sqlite3_prepare_v2(s->db, t.chars, -1, ret, NULL) == SQLITE_OK ? 0
									      : explain(s, diag);
}

static void bind_row(sqlite3_stmt *q, enum fleet_table t, const union fleet_cell *row)
{
	for (size_t i = 0; i < fleet_tables[t].n_columns; i++) {
		if (fleet_tables[t].columns[i].is_text)
			sqlite3_bind_text(q, (int)i + 1, row[i].text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_int64(q, (int)i + 1, row[i].number);
	}
}

static int insert_row(struct sqlite_store *s, sqlite3_stmt *q, enum fleet_table t,
		      const union fleet_cell *row, struct diag *diag)
{
	int r;

	bind_row(q, t, row);
	r = sqlite3_step(q) == SQLITE_DONE ? 0 : explain(s, diag);
	sqlite3_reset(q);
	return r;
}

static int insert_rows(struct sqlite_store *s, const struct fleet_data *d, enum fleet_table t,
		       struct diag *diag)
{
	sqlite3_stmt *q = NULL;
	int r = prepare_insert(s, t, &q, diag);

	for (size_t i = 0; r >= 0 && i < d->tables[t].n; i++)
		r = insert_row(s, q, t, fleet_row(d, t, i), diag);
	sqlite3_finalize(q);
	return r;
}

/* Samples of a batch that is there already are there, too: their rows are ignored. */
static int insert_batches(struct sqlite_store *s, const struct fleet_data *d,
			  struct fleet_receipt *ret, struct diag *diag)
{
	sqlite3_stmt *q = NULL;
	int r = prepare_insert(s, FLEET_BATCH, &q, diag);

	for (size_t i = 0; r >= 0 && i < d->tables[FLEET_BATCH].n; i++) {
		r = insert_row(s, q, FLEET_BATCH, fleet_row(d, FLEET_BATCH, i), diag);
		if (r >= 0 && sqlite3_changes(s->db))
			ret->n_new++;
		else
			ret->n_known++;
	}
	sqlite3_finalize(q);
	return r;
}

/* Adds batches that are in no sum yet to those of their hours. */
static int roll_up(struct sqlite_store *s, struct diag *diag)
{
	return run(s,
		   "INSERT INTO perf_hour SELECT minute / 3600 * 3600, CASE rollup WHEN 0 THEN "
		   "source ELSE rollup END AS whose, event, stack, sum(samples), sum(period) "
		   "FROM perf_sample JOIN perf_source ON perf_source.id = source "
		   "WHERE (minute, batch) IN (SELECT minute, id FROM perf_batch WHERE rolled = 0) "
		   "GROUP BY minute / 3600, whose, event, stack "
		   "ON CONFLICT DO UPDATE SET samples = samples + excluded.samples, "
		   "period = period + excluded.period;"
		   "UPDATE perf_batch SET rolled = 1 WHERE rolled = 0",
		   diag);
}

static int put_rows(struct sqlite_store *s, const struct fleet_data *d, struct fleet_receipt *ret,
		    struct diag *diag)
{
	int r = 0;

	for (int t = 0; r >= 0 && t < N_FLEET_TABLES; t++)
		if (fleet_tables[t].is_dictionary)
			r = insert_rows(s, d, (enum fleet_table)t, diag);
	if (r >= 0)
		r = insert_batches(s, d, ret, diag);
	if (r >= 0 && ret->n_new)
		r = insert_rows(s, d, FLEET_SAMPLE, diag);
	/* In the same transaction: sums of hours are never behind. */
	if (r >= 0 && ret->n_new && !s->is_parcel)
		r = roll_up(s, diag);
	return r;
}

static int put(struct fleet_store *store, const struct fleet_data *d, struct fleet_receipt *ret,
	       struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	int r = run(s, "BEGIN IMMEDIATE", diag);

	if (r < 0)
		return r;
	r = put_rows(s, d, ret, diag);
	if (r >= 0)
		r = run(s, "COMMIT", diag);
	if (r < 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

static const char *text_at(sqlite3_stmt *q, int i)
{
	const char *text = (const char *)sqlite3_column_text(q, i);

	return text ? text : "";
}

/* Reading rows, which are added up here. */
struct weighing {
	struct sqlite_store *store;
	const struct fleet_filter *filter;
	struct fleet_data *data;
	struct fleet_sums sums;
	sqlite3_stmt *source_query, *frame_query;
	struct u64_map sources; /* by id: those in @data, without what is not told apart */
	struct u64_map frames;  /* by stack */
	int64_t last_source, last_id;
};

static void weighing_done(struct weighing *w)
{
	sqlite3_finalize(w->source_query);
	sqlite3_finalize(w->frame_query);
	fleet_sums_done(&w->sums);
	u64_map_done(&w->sources);
	u64_map_done(&w->frames);
}

/* Runs @q for @id. 1: there is a row; 0: there is none. */
static int ask_row(const struct weighing *w, sqlite3_stmt *q, int64_t id, struct diag *diag)
{
	int r;

	sqlite3_reset(q);
	sqlite3_bind_int64(q, 1, id);
	r = sqlite3_step(q);
	return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : explain(w->store, diag);
}

/* Ids are never 0, so that they can stand for pointers. */
static void *as_pointer(int64_t id)
{
	return (void *)(uintptr_t)id;
}

/* The source that @id is part of; 0: there is no such source. */
static int find_source(struct weighing *w, int64_t id, int64_t *ret, struct diag *diag)
{
	int64_t found = (int64_t)(uintptr_t)u64_map_find(&w->sources, (uint64_t)id);
	struct fleet_source source = { "", "", "", "" };
	int r;

	*ret = found;
	if (found)
		return 0;
	r = ask_row(w, w->source_query, id, diag);
	if (r <= 0)
		return r;
	source.host = w->filter->by_host ? text_at(w->source_query, 0) : "";
	source.comm = text_at(w->source_query, 1);
	*ret = fleet_add_source(w->data, &source);
	u64_map_put(&w->sources, (uint64_t)id, as_pointer(*ret));
	return 0;
}

/* The innermost frame of stack @id; 0: it has none, or is not there. */
static int find_frame(struct weighing *w, int64_t id, int64_t *ret, struct diag *diag)
{
	int r;

	*ret = id ? (int64_t)(uintptr_t)u64_map_find(&w->frames, (uint64_t)id) : 0;
	if (*ret || !id)
		return 0;
	r = ask_row(w, w->frame_query, id, diag);
	if (r <= 0)
		return r;
	*ret = sqlite3_column_int64(w->frame_query, 0);
	if (*ret)
		u64_map_put(&w->frames, (uint64_t)id, as_pointer(*ret));
	return 0;
}

static int weigh_row(struct weighing *w, sqlite3_stmt *q, struct diag *diag)
{
	int64_t source = sqlite3_column_int64(q, 1);
	struct fleet_sum row = {
		.minute = sqlite3_column_int64(q, 0),
		.event = sqlite3_column_int64(q, 2),
		.stack = sqlite3_column_int64(q, 3),
		.samples = sqlite3_column_int64(q, 4),
		.period = sqlite3_column_int64(q, 5),
	};
	int r = 0;

	/* Rows of one source follow each other. */
	if (!w->last_id || source != w->last_source)
		r = find_source(w, source, &w->last_id, diag);
	w->last_source = source;
	row.source = w->last_id;
	if (r >= 0 && w->filter->by_function)
		r = find_frame(w, row.stack, &row.stack, diag);
	if (r >= 0 && row.source)
		fleet_sums_add(&w->sums, &row);
	return r;
}

static int prepare(struct sqlite_store *s, const char *sql, sqlite3_stmt **ret, struct diag *diag)
{
	return sqlite3_prepare_v2(s->db, sql, -1, ret, NULL) == SQLITE_OK ? 0 : explain(s, diag);
}

static int weigh_rows(struct weighing *w, sqlite3_stmt *q, struct diag *diag)
{
	int step = SQLITE_ROW, r = 0;

	while (r >= 0 && (step = sqlite3_step(q)) == SQLITE_ROW)
		r = weigh_row(w, q, diag);
	return r < 0 ? r : step == SQLITE_DONE ? 0 : explain(w->store, diag);
}

static int read_weights(struct fleet_store *store, const struct fleet_filter *f,
			struct fleet_data *d, struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	_cleanup_(weighing_done) struct weighing w = { .store = s, .filter = f, .data = d };
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	sqlite3_stmt *q = NULL;
	int r;

	fleet_select_rows(&sql, f, INT64_MAX, FLEET_SQLITE);
	r = prepare(s, "SELECT host, comm FROM perf_source WHERE id = ?", &w.source_query, diag);
	if (r >= 0)
		r = prepare(s, "SELECT frame FROM perf_stack WHERE id = ?", &w.frame_query, diag);
	if (r >= 0)
		r = prepare(s, sql.chars, &q, diag);
	if (r >= 0)
		r = weigh_rows(&w, q, diag);
	sqlite3_finalize(q);
	if (r >= 0)
		fleet_sums_take(&w.sums, d);
	return r;
}

static void take_row(struct fleet_data *d, enum fleet_table t, sqlite3_stmt *q)
{
	union fleet_cell row[FLEET_COLUMNS_MAX];

	for (size_t i = 0; i < fleet_tables[t].n_columns; i++) {
		if (fleet_tables[t].columns[i].is_text)
			row[i].text = text_at(q, (int)i);
		else
			row[i].number = sqlite3_column_int64(q, (int)i);
	}
	fleet_add(d, t, row);
}

static int fetch_row(struct sqlite_store *s, sqlite3_stmt *q, enum fleet_table t, int64_t id,
		     struct fleet_data *d, struct diag *diag)
{
	int r;

	sqlite3_bind_int64(q, 1, id);
	r = sqlite3_step(q);
	if (r == SQLITE_ROW)
		take_row(d, t, q);
	r = r == SQLITE_ROW || r == SQLITE_DONE ? 0 : explain(s, diag);
	sqlite3_reset(q);
	return r;
}

/* The row, and of a stack those of its callers as far as they are not here. */
static int fetch_rows(struct sqlite_store *s, sqlite3_stmt *q, enum fleet_table t, int64_t id,
		      struct fleet_data *d, struct diag *diag)
{
	while (id && !fleet_find(d, t, id)) {
		const union fleet_cell *row;
		int r = fetch_row(s, q, t, id, d, diag);

		if (r < 0)
			return r;
		row = t == FLEET_STACK ? fleet_find(d, t, id) : NULL;
		id = row ? row[STACK_PARENT].number : 0;
	}
	return 0;
}

static int fetch(struct fleet_store *store, enum fleet_table t, const int64_t *ids, size_t n,
		 struct fleet_data *d, struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	_cleanup_(freep) char *sql = xasprintf("SELECT * FROM %s WHERE id = ?",
					       fleet_tables[t].name);
	sqlite3_stmt *q;
	int r = 0;

	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
		return explain(s, diag);
	for (size_t i = 0; r >= 0 && i < n; i++)
		r = fetch_rows(s, q, t, ids[i], d, diag);
	sqlite3_finalize(q);
	return r;
}

static int read_table(struct sqlite_store *s, enum fleet_table t, struct fleet_data *d,
		      struct diag *diag)
{
	const struct fleet_table_type *type = &fleet_tables[t];
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	sqlite3_stmt *q;
	int r;

	for (size_t i = 0; i < type->n_columns; i++)
		text_addf(&sql, "%s %s", i ? "," : "SELECT", type->columns[i].name);
	text_addf(&sql, " FROM %s", type->name);
	if (sqlite3_prepare_v2(s->db, sql.chars, -1, &q, NULL) != SQLITE_OK)
		return explain(s, diag);
	while ((r = sqlite3_step(q)) == SQLITE_ROW)
		take_row(d, t, q);
	r = r == SQLITE_DONE ? 0 : explain(s, diag);
	sqlite3_finalize(q);
	return r;
}

int parcel_write(const char *path, const struct fleet_data *d, struct diag *diag)
{
	struct fleet_receipt receipt = { 0 };
	struct sqlite_store *s;
	int r = open_path(path, true, true, &s, diag);

	if (r < 0)
		return r;
	r = put(&s->store, d, &receipt, diag);
	close_store(&s->store);
	return r;
}

int parcel_read(const char *path, struct fleet_data *d, struct diag *diag)
{
	struct sqlite_store *s;
	int r = open_path(path, true, false, &s, diag);

	if (r < 0)
		return r;
	for (int t = 0; r >= 0 && t < FLEET_HOUR; t++)
		r = read_table(s, (enum fleet_table)t, d, diag);
	close_store(&s->store);
	return r;
}

static int maintain(struct fleet_store *store, const struct fleet_retention *k, struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int64_t minutes = k->minutes ? k->now - k->minutes : 0;
	int64_t hours = k->hours ? k->now - k->hours : 0;

	/* Batches stay as long as their sums: who sends one again is told that it is known. */
	text_addf(&t,
		  "BEGIN IMMEDIATE;"
		  "DELETE FROM perf_sample WHERE minute < %" PRId64 ";"
		  "DELETE FROM perf_hour WHERE hour < %" PRId64 ";"
		  "DELETE FROM perf_batch WHERE minute < %" PRId64 ";"
		  "COMMIT",
		  minutes > hours ? minutes : hours, hours, hours);
	return run(s, t.chars, diag);
}

#define OPEN     open_store
#define CLOSE    close_store
#define PUT      put
#define WEIGHTS  read_weights
#define FETCH    fetch
#define MAINTAIN maintain
#else
static int open_store(const struct fleet_url *u, bool writes, struct fleet_store **ret,
		      struct diag *diag)
{
	(void)u, (void)writes, (void)ret;
	return sqlite_load(diag);
}

int parcel_write(const char *path, const struct fleet_data *d, struct diag *diag)
{
	(void)path, (void)d;
	return sqlite_load(diag);
}

int parcel_read(const char *path, struct fleet_data *d, struct diag *diag)
{
	(void)path, (void)d;
	return sqlite_load(diag);
}

#define OPEN     open_store
#define CLOSE    NULL
#define PUT      NULL
#define WEIGHTS  NULL
#define FETCH    NULL
#define MAINTAIN NULL
#endif

static const char *const schemes[] = { "sqlite", NULL };

const struct fleet_store_class fleet_sqlite = {
	.schemes = schemes,
	.open = OPEN,
	.close = CLOSE,
	.put = PUT,
	.weights = WEIGHTS,
	.fetch = FETCH,
	.maintain = MAINTAIN,
};
