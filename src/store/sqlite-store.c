/* SPDX-License-Identifier: MIT */
/*
 * A store in a file, without a server: for one machine, a small fleet, or data that waits to be
 * sent.
 *
 * The file is untrusted (store/sqlite-file.h); rows are checked before they are followed
 * (store/check.h).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "store/check.h"
#include "store/data.h"
#include "store/parcel.h"
#include "store/sqlite-file.h"
#include "store/sqlite-scan.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/tab-table.h"
#include "store/url.h"

#if HAVE_SQLITE3

struct sqlite_store {
	struct fleet_store store;
	struct sqlite_file file;
};

static void sqlite_close_store(struct fleet_store *store)
{
	struct sqlite_store *s = (struct sqlite_store *)store;

	sqlite_file_close(&s->file);
	free(s);
}

static int sqlite_open_path(const char *path, const struct patience *patience, unsigned flags,
			    struct sqlite_store **ret, struct diag *diag)
{
	struct sqlite_store *s = xcalloc(1, sizeof(*s));
	int r = sqlite_file_open(&s->file, path, patience, flags, diag);

	if (r < 0) {
		free(s);
		return r;
	}
	s->store.class = &fleet_sqlite;
	*ret = s;
	return 0;
}

static int sqlite_open_store(const struct fleet_url *u, bool writes, struct fleet_store **ret,
			     struct diag *diag)
{
	struct sqlite_store *s;
	int r = sqlite_open_path(u->target, u->patience, writes ? SQLITE_FILE_WRITE : 0, &s, diag);

	if (r >= 0)
		*ret = &s->store;
	return r;
}

static int sqlite_prepare_insert(struct sqlite_store *s, enum fleet_table table, sqlite3_stmt **ret,
				 struct diag *diag)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, "INSERT OR IGNORE INTO ");
	fleet_tab_target(&t, table);
	text_add(&t, " VALUES (?");
	for (size_t i = 1; i < fleet_tables[table].n_columns; i++)
		text_add(&t, ", ?");
	text_add(&t, ")");
	return sqlite_file_prepare(&s->file, t.chars, ret, diag);
}

static void sqlite_bind_row(sqlite3_stmt *q, enum fleet_table t, const union fleet_cell *row)
{
	for (size_t i = 0; i < fleet_tables[t].n_columns; i++) {
		if (fleet_tables[t].columns[i].is_text)
			sqlite3_bind_text(q, (int)i + 1, row[i].text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_int64(q, (int)i + 1, row[i].number);
	}
}

static int sqlite_insert_row(struct sqlite_store *s, sqlite3_stmt *q, enum fleet_table t,
			     const union fleet_cell *row, struct diag *diag)
{
	int r;

	sqlite_bind_row(q, t, row);
	r = sqlite3_step(q) == SQLITE_DONE ? 0 : sqlite_file_explain(&s->file, diag);
	sqlite3_reset(q);
	return r;
}

static int sqlite_insert_rows(struct sqlite_store *s, const struct fleet_data *d,
			      enum fleet_table t, struct diag *diag)
{
	sqlite3_stmt *q = NULL;
	int r = sqlite_prepare_insert(s, t, &q, diag);

	for (size_t i = 0; r >= 0 && i < d->tables[t].n; i++) {
		const union fleet_cell *row = fleet_row(d, t, i);

		r = sqlite_insert_row(s, q, t, row, diag);
		if (r >= 0 && sqlite3_changes(s->file.db))
			fleet_store_wrote(&s->store, row[0].number);
	}
	sqlite3_finalize(q);
	return r;
}

/* Inserts batches. @new: the ids of batches that did not exist. */
static int sqlite_insert_batches(struct sqlite_store *s, const struct fleet_data *d,
				 struct u64_map *new, struct fleet_receipt *ret, struct diag *diag)
{
	sqlite3_stmt *q = NULL;
	int r = sqlite_prepare_insert(s, FLEET_BATCH, &q, diag);

	for (size_t i = 0; r >= 0 && i < d->tables[FLEET_BATCH].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_BATCH, i);

		r = sqlite_insert_row(s, q, FLEET_BATCH, row, diag);
		if (r >= 0 && sqlite3_changes(s->file.db)) {
			u64_map_put(new, (uint64_t)row[BATCH_ID].number, s);
			ret->n_new++;
		} else {
			ret->n_known++;
		}
	}
	sqlite3_finalize(q);
	return r;
}

/*
 * Inserts samples. Those of a batch that exists already exist too; they may have been read with
 * other names.
 */
static int sqlite_insert_samples(struct sqlite_store *s, const struct fleet_data *d,
				 const struct u64_map *new, struct diag *diag)
{
	sqlite3_stmt *q = NULL;
	int r = sqlite_prepare_insert(s, FLEET_SAMPLE, &q, diag);

	for (size_t i = 0; r >= 0 && i < d->tables[FLEET_SAMPLE].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_SAMPLE, i);

		if (u64_map_find(new, (uint64_t)row[SAMPLE_BATCH].number))
			r = sqlite_insert_row(s, q, FLEET_SAMPLE, row, diag);
	}
	sqlite3_finalize(q);
	return r;
}

/* Adds batches that are in no sum yet to those of their hours. */
static int sqlite_roll_up(struct sqlite_store *s, struct diag *diag)
{
	return sqlite_file_run(
		&s->file,
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

static int sqlite_put_rows(struct sqlite_store *s, const struct fleet_data *d,
			   struct fleet_receipt *ret, struct diag *diag)
{
	struct u64_map new = { 0 };
	int r = 0;

	for (int t = 0; r >= 0 && t < N_FLEET_TABLES; t++)
		if (fleet_tables[t].is_dictionary)
			r = sqlite_insert_rows(s, d, (enum fleet_table)t, diag);
	if (r >= 0)
		r = sqlite_insert_batches(s, d, &new, ret, diag);
	if (r >= 0 && ret->n_new)
		r = sqlite_insert_samples(s, d, &new, diag);
	u64_map_done(&new);
	/* This is in the same transaction, so sums of hours are always up to date. */
	if (r >= 0 && ret->n_new && !s->file.is_parcel)
		r = sqlite_roll_up(s, diag);
	return r;
}

static int sqlite_put(struct fleet_store *store, const struct fleet_data *d,
		      struct fleet_receipt *ret, struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	int r = sqlite_file_run(&s->file, "BEGIN IMMEDIATE", diag);

	if (r < 0)
		return r;
	r = sqlite_put_rows(s, d, ret, diag);
	if (r >= 0)
		r = sqlite_file_run(&s->file, "COMMIT", diag);
	if (r < 0)
		sqlite3_exec(s->file.db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

static const char *sqlite_text_at(sqlite3_stmt *q, int i)
{
	const char *text = (const char *)sqlite3_column_text(q, i);

	return text ? text : "";
}

static int sqlite_read_weights(struct fleet_store *store, const struct fleet_filter *f,
			       struct fleet_data *d, struct diag *diag)
{
	return sqlite_scan(&((struct sqlite_store *)store)->file, f, d, diag);
}

/* Appends "SELECT id, name, ... FROM table". */
static void sqlite_add_select(struct text *sql, enum fleet_table t)
{
	text_add(sql, "SELECT ");
	fleet_tab_columns(sql, t);
	text_addf(sql, " FROM %s", fleet_tables[t].name);
}

static void sqlite_take_row(struct fleet_data *d, enum fleet_table t, sqlite3_stmt *q)
{
	union fleet_cell row[FLEET_COLUMNS_MAX];

	for (size_t i = 0; i < fleet_tables[t].n_columns; i++) {
		if (fleet_tables[t].columns[i].is_text)
			row[i].text = sqlite_text_at(q, (int)i);
		else
			row[i].number = sqlite3_column_int64(q, (int)i);
	}
	fleet_add(d, t, row);
}

static int sqlite_fetch_row(struct sqlite_store *s, sqlite3_stmt *q, enum fleet_table t, int64_t id,
			    struct fleet_data *d, struct diag *diag)
{
	int r;

	sqlite3_bind_int64(q, 1, id);
	r = sqlite3_step(q);
	if (r == SQLITE_ROW)
		sqlite_take_row(d, t, q);
	r = r == SQLITE_ROW || r == SQLITE_DONE ? 0 : sqlite_file_explain(&s->file, diag);
	sqlite3_reset(q);
	return r;
}

/* Fetches the row, and for a stack the rows of its callers that are not in @d yet. */
static int sqlite_fetch_rows(struct sqlite_store *s, sqlite3_stmt *q, enum fleet_table t,
			     int64_t id, struct fleet_data *d, struct diag *diag)
{
	while (id && !fleet_find(d, t, id)) {
		const union fleet_cell *row;
		int r = sqlite_fetch_row(s, q, t, id, d, diag);

		if (r < 0)
			return r;
		row = t == FLEET_STACK ? fleet_find(d, t, id) : NULL;
		id = row ? row[STACK_PARENT].number : 0;
	}
	return 0;
}

static int sqlite_fetch(struct fleet_store *store, enum fleet_table t, const int64_t *ids, size_t n,
			struct fleet_data *d, struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	sqlite3_stmt *q;
	int r;

	sqlite_add_select(&sql, t);
	text_add(&sql, " WHERE id = ?");
	r = sqlite_file_prepare(&s->file, sql.chars, &q, diag);
	if (r < 0)
		return r;
	for (size_t i = 0; r >= 0 && i < n; i++)
		r = sqlite_fetch_rows(s, q, t, ids[i], d, diag);
	sqlite3_finalize(q);
	return r;
}

static int sqlite_read_table(struct sqlite_store *s, enum fleet_table t, struct fleet_data *d,
			     struct diag *diag)
{
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	sqlite3_stmt *q;
	int r;

	sqlite_add_select(&sql, t);
	r = sqlite_file_prepare(&s->file, sql.chars, &q, diag);
	if (r < 0)
		return r;
	while ((r = sqlite3_step(q)) == SQLITE_ROW)
		sqlite_take_row(d, t, q);
	r = r == SQLITE_DONE ? 0 : sqlite_file_explain(&s->file, diag);
	sqlite3_finalize(q);
	return r;
}

int parcel_write(const char *path, const struct fleet_data *d, struct diag *diag)
{
	struct fleet_receipt receipt = { 0 };
	struct sqlite_store *s;
	int r = sqlite_open_path(path, NULL, SQLITE_FILE_PARCEL | SQLITE_FILE_WRITE, &s, diag);

	if (r < 0)
		return r;
	r = sqlite_put(&s->store, d, &receipt, diag);
	fleet_store_close(&s->store);
	return r;
}

int parcel_read(const char *path, struct fleet_data *d, struct diag *diag)
{
	struct sqlite_store *s;
	int r = sqlite_open_path(path, NULL, SQLITE_FILE_PARCEL, &s, diag);

	/* A parcel that we wrote has the tables, so one without them is damaged. */
	if (r < 0)
		return r == -ENODATA || r == -EINVAL ? -EBADMSG : r;
	for (int t = 0; r >= 0 && t < FLEET_HOUR; t++)
		r = sqlite_read_table(s, (enum fleet_table)t, d, diag);
	fleet_store_close(&s->store);
	return r < 0 ? r : fleet_check(d, diag);
}

static int sqlite_read_number(struct fleet_store *store, const char *sql, int64_t *ret,
			      struct diag *diag)
{
	int64_t before = *ret;
	int r = sqlite_file_number(&((struct sqlite_store *)store)->file, sql, ret, diag);

	if (r < 0 || !*ret)
		*ret = before;
	return r;
}

static int sqlite_maintain(struct fleet_store *store, const struct fleet_retention *k,
			   struct diag *diag)
{
	struct sqlite_store *s = (struct sqlite_store *)store;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int64_t minutes = k->minutes ? k->now - k->minutes : 0;
	int64_t hours = k->hours ? k->now - k->hours : 0;

	/*
	 * Batches stay as long as their sums, so that a batch that is sent again is reported as
	 * known.
	 */
	text_addf(&t,
		  "BEGIN IMMEDIATE;"
		  "DELETE FROM perf_sample WHERE minute < %" PRId64 ";"
		  "DELETE FROM perf_hour WHERE hour < %" PRId64 ";"
		  "DELETE FROM perf_batch WHERE minute < %" PRId64 ";"
		  "COMMIT",
		  minutes > hours ? minutes : hours, hours, hours);
	return sqlite_file_run(&s->file, t.chars, diag);
}

#define OPEN     sqlite_open_store
#define CLOSE    sqlite_close_store
#define PUT      sqlite_put
#define WEIGHTS  sqlite_read_weights
#define FETCH    sqlite_fetch
#define MAINTAIN sqlite_maintain
#define NUMBER   sqlite_read_number
#else
static int sqlite_open_store(const struct fleet_url *u, bool writes, struct fleet_store **ret,
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

#define OPEN     sqlite_open_store
#define CLOSE    NULL
#define PUT      NULL
#define WEIGHTS  NULL
#define FETCH    NULL
#define MAINTAIN NULL
#define NUMBER   NULL
#endif

static const char *const schemes[] = { "sqlite", NULL };

const struct fleet_store_class fleet_sqlite = {
	.schemes = schemes,
	.open = OPEN,
	.close = CLOSE,
	.put = PUT,
	.weights = WEIGHTS,
	.fetch = FETCH,
	.number = NUMBER,
	.maintain = MAINTAIN,
};
