/* SPDX-License-Identifier: MIT */
/*
 * A store in PostgreSQL.
 *
 * A put is one transaction. Inserting a batch's row decides whether the batch is new: a client that
 * inserts the same row at the same time waits for us, and then finds it. Rows of dictionaries are
 * inserted in order of their ids, so that machines that send the same rows wait for each other but
 * never in a circle. Samples are partitioned by day, so that old days can be dropped as a whole.
 *
 * Sums of hours are rows to which all machines add. To avoid a queue there, one machine adds up the
 * batches that are in no sum yet, after its own transaction, if no other machine does so (an
 * advisory lock); until then samples of such batches are read in addition to the sums
 * (store/select.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/data.h"
#include "store/postgresql.h"
#include "store/select.h"
#include "store/store.h"
#include "store/tab-table.h"
#include "store/url.h"

/* Numbers of advisory locks, which nothing else in the database should use: "perf" and one more. */
#define LOCK_SCHEMA  0x7065726601
#define LOCK_ROLL_UP 0x7065726602

#define DAY 86400

struct postgresql_store {
	struct fleet_store store;
	char *url;
	struct postgresql *pg;
	const struct patience *patience;
	struct u64_map days; /* days whose partitions are known to exist */
};

/* Makes the connection, again if it was lost. */
static int connect_store(struct postgresql_store *s, struct diag *diag)
{
	if (s->pg && postgresql_is_lost(s->pg))
		s->pg = postgresql_close(s->pg);
	return s->pg ? 0 : postgresql_open(s->url, s->patience, &s->pg, diag);
}

/* Gets the single number that @sql returns; 0: none. */
static int postgresql_store_ask_number(struct postgresql_store *s, const char *sql, int64_t *ret,
				       struct diag *diag)
{
	_cleanup_(fleet_ids_done) struct fleet_ids ids = { .diag = diag };
	int r = postgresql_select(s->pg, sql, 1, fleet_tab_take_id, &ids, diag);

	if (r >= 0)
		*ret = ids.n ? ids.items[0] : 0;
	return r;
}

/* Runs @work as a transaction; if it fails, the database is unchanged. */
static int postgresql_store_transact(struct postgresql_store *s,
				     int (*work)(struct postgresql_store *, void *), void *arg,
				     struct diag *diag)
{
	struct diag unused = { 0 };
	int r = postgresql_run(s->pg, "BEGIN", diag);

	if (r >= 0)
		r = work(s, arg);
	if (r >= 0)
		r = postgresql_run(s->pg, "COMMIT", diag);
	if (r < 0 && !postgresql_is_lost(s->pg)) {
		postgresql_run(s->pg, "ROLLBACK", &unused);
		diag_done(&unused);
	}
	return r;
}

static void postgresql_store_add_definition(struct text *t, enum fleet_table table)
{
	fleet_add_columns(t, table, "bigint NOT NULL", "text NOT NULL");
	if (table == FLEET_HOUR)
		text_add(t, ", PRIMARY KEY (hour, source, event, stack)");
	else if (table != FLEET_SAMPLE)
		text_add(t, ", PRIMARY KEY (id)");
	text_add(t, table == FLEET_SAMPLE ? ") PARTITION BY RANGE (minute);" : ");");
}

/* Makes the tables, also from version 0, which had no sums. */
static int postgresql_store_make_tables(struct postgresql_store *s, void *arg)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "SELECT pg_advisory_xact_lock(%lld);", (long long)LOCK_SCHEMA);
	for (int i = 0; i < N_FLEET_TABLES; i++)
		postgresql_store_add_definition(&t, (enum fleet_table)i);
	text_addf(
		&t,
		"ALTER TABLE perf_batch ADD COLUMN IF NOT EXISTS rolled bigint NOT NULL DEFAULT 0;"
		"CREATE INDEX IF NOT EXISTS perf_batch_unrolled ON perf_batch (minute) "
		"WHERE rolled = 0;"
		"CREATE INDEX IF NOT EXISTS perf_sample_minute ON perf_sample (minute, batch);"
		"CREATE TABLE IF NOT EXISTS perf_schema (version bigint NOT NULL);"
		"DELETE FROM perf_schema; INSERT INTO perf_schema VALUES (%d);",
		FLEET_SCHEMA_VERSION);
	return postgresql_run(s->pg, t.chars, arg);
}

static int postgresql_store_check_version(struct postgresql_store *s, bool writes,
					  struct diag *diag)
{
	int64_t version = -1;
	int r = postgresql_store_ask_number(
		s, "SELECT count(*) FROM pg_class WHERE oid = to_regclass('perf_schema')", &version,
		diag);

	if (r >= 0 && !version && !writes)
		return fleet_refuse_empty(s->url, diag);
	if (r >= 0 && version)
		r = postgresql_store_ask_number(s, "SELECT version FROM perf_schema", &version,
						diag);
	if (r < 0)
		return r;
	if (version > FLEET_SCHEMA_VERSION)
		return fleet_refuse_newer(s->url, version, diag);
	if (!writes || version == FLEET_SCHEMA_VERSION)
		return 0;
	return postgresql_store_transact(s, postgresql_store_make_tables, diag, diag);
}

static void postgresql_store_close(struct fleet_store *store)
{
	struct postgresql_store *s = (struct postgresql_store *)store;

	postgresql_close(s->pg);
	u64_map_done(&s->days);
	free(s->url);
	free(s);
}

static int postgresql_store_open(const struct fleet_url *u, bool writes, struct fleet_store **ret,
				 struct diag *diag)
{
	struct postgresql_store *s = xcalloc(1, sizeof(*s));
	int r;

	s->store.class = &fleet_postgresql;
	s->url = xstrdup(u->target);
	s->patience = u->patience;
	r = connect_store(s, diag);
	if (r >= 0)
		r = postgresql_store_check_version(s, writes, diag);
	if (r < 0) {
		postgresql_store_close(&s->store);
		return r;
	}
	*ret = &s->store;
	return 0;
}

/* Appends a partition's name, such as perf_sample_20260531. */
static void add_partition_name(struct text *t, int64_t day)
{
	time_t seconds = (time_t)(day * DAY);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	text_addf(t, "perf_sample_%04d%02d%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

struct partition {
	int64_t day;
	struct diag *diag;
};

/*
 * Makes a partition. Attaching a table, unlike making it a partition directly, does not wait for
 * readers and writers.
 */
static int make_partition(struct postgresql_store *s, void *arg)
{
	const struct partition *p = arg;
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	_cleanup_(freep) char *sql = NULL;

	add_partition_name(&name, p->day);
	sql = xasprintf("CREATE TABLE %s (LIKE perf_sample INCLUDING ALL);"
			"ALTER TABLE perf_sample ATTACH PARTITION %s "
			"FOR VALUES FROM (%" PRId64 ") TO (%" PRId64 ")",
			name.chars, name.chars, p->day * DAY, (p->day + 1) * DAY);
	return postgresql_run(s->pg, sql, p->diag);
}

static int need_partition(struct postgresql_store *s, int64_t day, struct diag *diag)
{
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	struct partition p = { .day = day, .diag = diag };
	int64_t n = 0;
	int r;

	if (u64_map_find(&s->days, (uint64_t)day))
		return 0;
	text_add(&sql, "SELECT count(*) FROM pg_class WHERE oid = to_regclass('");
	add_partition_name(&sql, day);
	text_add(&sql, "')");
	r = postgresql_store_ask_number(s, sql.chars, &n, diag);
	if (r >= 0 && !n)
		r = postgresql_store_transact(s, make_partition, &p, diag);
	/*
	 * -EEXIST: another client made it at the same moment, and we waited for the end of its
	 * transaction.
	 */
	if (r < 0 && r != -EEXIST)
		return r;
	u64_map_put(&s->days, (uint64_t)day, s);
	return 0;
}

static int need_partitions(struct postgresql_store *s, const struct fleet_data *d,
			   struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < d->tables[FLEET_BATCH].n; i++)
		r = need_partition(s, fleet_row(d, FLEET_BATCH, i)[BATCH_MINUTE].number / DAY,
				   diag);
	return r;
}

/* The state of one put. */
struct postgresql_store_sending {
	const struct fleet_data *data;
	struct fleet_ids batches; /* the ids of the new batches */
	struct diag *diag;
};

static int insert_batches(struct postgresql_store *s, struct postgresql_store_sending *p)
{
	const struct fleet_rows *rows = &p->data->tables[FLEET_BATCH];
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;

	if (!rows->n)
		return 0;
	text_add(&sql, "INSERT INTO perf_batch (id, minute, host) SELECT * FROM (VALUES ");
	for (size_t i = 0; i < rows->n; i++) {
		const union fleet_cell *row = fleet_row(p->data, FLEET_BATCH, i);

		text_addf(&sql, "%s(%" PRId64 ", %" PRId64 ", ", i ? ", " : "",
			  row[BATCH_ID].number, row[BATCH_MINUTE].number);
		fleet_quote(&sql, row[BATCH_HOST].text, FLEET_POSTGRESQL);
		text_add_char(&sql, ')');
	}
	text_add(&sql,
		 ") AS new (id, minute, host) ORDER BY id ON CONFLICT DO NOTHING RETURNING id");
	return postgresql_select(s->pg, sql.chars, 1, fleet_tab_take_id, &p->batches, p->diag);
}

/* Finds the ids of a dictionary's rows that the server lacks. */
static int ask_missing(struct postgresql_store *s, struct postgresql_store_sending *p,
		       enum fleet_table t, struct fleet_ids *missing)
{
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	const struct fleet_rows *rows = &p->data->tables[t];

	text_add(&sql, "SELECT id FROM unnest('{");
	for (size_t i = 0; i < rows->n; i++) {
		if (i)
			text_add_char(&sql, ',');
		fleet_tab_numbers(&sql, &fleet_row(p->data, t, i)[0].number, 1);
	}
	text_addf(&sql,
		  "}'::bigint[]) AS new (id) WHERE NOT EXISTS "
		  "(SELECT FROM %s AS known WHERE known.id = new.id)",
		  fleet_tables[t].name);
	return postgresql_select(s->pg, sql.chars, 1, fleet_tab_take_id, missing, p->diag);
}

static int postgresql_store_copy_rows(struct postgresql_store *s,
				      struct postgresql_store_sending *p, enum fleet_table t,
				      size_t column, const struct fleet_ids *chosen,
				      const char *target)
{
	_cleanup_(tab_writer_done) struct tab_writer w = TAB_WRITER_EMPTY;

	for (size_t i = 0; i < p->data->tables[t].n; i++) {
		const union fleet_cell *row = fleet_row(p->data, t, i);

		if (fleet_ids_has(chosen, row[column].number))
			fleet_tab_add(&w, t, row);
	}
	return w.n_rows ? postgresql_copy(s->pg, target, &w.rows, p->diag) : 0;
}

static int insert_dictionary(struct postgresql_store *s, struct postgresql_store_sending *p,
			     enum fleet_table t)
{
	_cleanup_(fleet_ids_done) struct fleet_ids missing = { .diag = p->diag };
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	const char *name = fleet_tables[t].name;
	int r = p->data->tables[t].n ? ask_missing(s, p, t, &missing) : 0;

	if (r < 0 || !missing.n)
		return r;
	text_addf(&sql, "CREATE TEMPORARY TABLE new_%s (LIKE %s) ON COMMIT DROP", name, name);
	r = postgresql_run(s->pg, sql.chars, p->diag);
	text_clear(&sql);
	text_addf(&sql, "new_%s", name);
	if (r >= 0)
		r = postgresql_store_copy_rows(s, p, t, 0, &missing, sql.chars);
	text_clear(&sql);
	text_addf(&sql, "INSERT INTO %s SELECT * FROM new_%s ORDER BY id ON CONFLICT DO NOTHING",
		  name, name);
	if (r >= 0)
		r = postgresql_run(s->pg, sql.chars, p->diag);
	for (size_t i = 0; r >= 0 && i < missing.n; i++)
		fleet_store_wrote(&s->store, missing.items[i]);
	return r;
}

static int postgresql_store_put_rows(struct postgresql_store *s, void *arg)
{
	struct postgresql_store_sending *p = arg;
	_cleanup_(text_done) struct text target = TEXT_EMPTY;
	int r = insert_batches(s, p);

	/* The dictionaries of known batches are known too. */
	if (r < 0 || !p->batches.n)
		return r;
	for (int t = 0; r >= 0 && t < N_FLEET_TABLES; t++)
		if (fleet_tables[t].is_dictionary)
			r = insert_dictionary(s, p, (enum fleet_table)t);
	fleet_tab_target(&target, FLEET_SAMPLE);
	return r < 0 ? r
		     : postgresql_store_copy_rows(s, p, FLEET_SAMPLE, SAMPLE_BATCH, &p->batches,
						  target.chars);
}

/* Adds batches that are in no sum yet to those of their hours. To be called in a transaction. */
static int add_to_hours(struct postgresql_store *s, struct diag *diag)
{
	return postgresql_run(
		s->pg,
		"WITH batches AS (UPDATE perf_batch SET rolled = 1 WHERE rolled = 0 "
		"RETURNING id, minute) "
		"INSERT INTO perf_hour SELECT p.minute / 3600 * 3600 AS hour, "
		"CASE rollup WHEN 0 THEN source ELSE rollup END AS whose, event, stack, "
		"sum(samples), sum(period) FROM batches JOIN perf_sample AS p "
		"ON p.minute = batches.minute AND p.batch = batches.id "
		"JOIN perf_source ON perf_source.id = source "
		"GROUP BY hour, whose, event, stack "
		"ON CONFLICT (hour, source, event, stack) DO UPDATE SET "
		"samples = perf_hour.samples + excluded.samples, "
		"period = perf_hour.period + excluded.period",
		diag);
}

static int postgresql_store_roll_up(struct postgresql_store *s, void *arg)
{
	struct diag *diag = arg;
	int64_t is_ours = 0;
	_cleanup_(freep) char *sql = xasprintf("SELECT pg_try_advisory_xact_lock(%lld)::int",
					       (long long)LOCK_ROLL_UP);
	int r = postgresql_store_ask_number(s, sql, &is_ours, diag);

	return r >= 0 && is_ours ? add_to_hours(s, diag) : r;
}

/* Does the same as postgresql_store_roll_up(), but waits for another client that does it. */
static int roll_up_all(struct postgresql_store *s, void *arg)
{
	_cleanup_(freep) char *sql = xasprintf("SELECT pg_advisory_xact_lock(%lld)",
					       (long long)LOCK_ROLL_UP);
	int r = postgresql_run(s->pg, sql, arg);

	return r < 0 ? r : add_to_hours(s, arg);
}

static int postgresql_store_put(struct fleet_store *store, const struct fleet_data *d,
				struct fleet_receipt *ret, struct diag *diag)
{
	struct postgresql_store *s = (struct postgresql_store *)store;
	struct postgresql_store_sending p = { .data = d, .batches.diag = diag, .diag = diag };
	struct diag unused = { 0 };
	int r = connect_store(s, diag);

	if (r >= 0)
		r = need_partitions(s, d, diag);
	if (r >= 0)
		r = postgresql_store_transact(s, postgresql_store_put_rows, &p, diag);
	if (r >= 0) {
		ret->n_new += p.batches.n;
		ret->n_known += d->tables[FLEET_BATCH].n - p.batches.n;
		/* The data is stored. If this fails, the next client does it. */
		postgresql_store_transact(s, postgresql_store_roll_up, &unused, &unused);
		diag_done(&unused);
	}
	fleet_ids_done(&p.batches);
	return r;
}

static int postgresql_store_read_weights(struct fleet_store *store, const struct fleet_filter *f,
					 struct fleet_data *d, struct diag *diag)
{
	struct postgresql_store *s = (struct postgresql_store *)store;
	struct fleet_tab_sink sink = { .data = d, .table = FLEET_SAMPLE, .diag = diag };
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;

	fleet_select_weights(&sql, f, INT64_MAX, FLEET_POSTGRESQL);
	return postgresql_select(s->pg, sql.chars, N_WEIGHT_COLUMNS, fleet_tab_take_weight, &sink,
				 diag);
}

/*
 * Finds whether most of a dictionary is wanted: then reading all of it is faster than looking up
 * rows.
 */
static int wants_most(struct postgresql_store *s, enum fleet_table t, size_t n, bool *ret,
		      struct diag *diag)
{
	/* With its header, a row takes 52 bytes or more. */
	_cleanup_(freep) char *sql = xasprintf("SELECT pg_relation_size('%s') / 52",
					       fleet_tables[t].name);
	int64_t rows = 0;
	int r = postgresql_store_ask_number(s, sql, &rows, diag);

	if (r >= 0)
		*ret = rows / 20 < (int64_t)n;
	return r;
}

/* Appends the query for rows; for a stack, with all its callers. */
static void postgresql_store_add_fetch(struct text *sql, enum fleet_table t, const int64_t *ids,
				       size_t n)
{
	if (t == FLEET_STACK)
		text_add(sql, "WITH RECURSIVE up AS (");
	text_add(sql, "SELECT ");
	fleet_tab_columns(sql, t);
	text_addf(sql, " FROM %s WHERE id = ANY('{", fleet_tables[t].name);
	fleet_tab_numbers(sql, ids, n);
	text_add(sql, "}'::bigint[])");
	if (t == FLEET_STACK)
		text_add(sql, " UNION SELECT s.id, s.parent, s.frame FROM perf_stack AS s "
			      "JOIN up ON s.id = up.parent) SELECT * FROM up");
	text_add(sql, " ORDER BY id");
}

static int postgresql_store_fetch(struct fleet_store *store, enum fleet_table t, const int64_t *ids,
				  size_t n, struct fleet_data *d, struct diag *diag)
{
	struct postgresql_store *s = (struct postgresql_store *)store;
	struct fleet_tab_sink sink = { .data = d, .table = t, .diag = diag };
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	bool all = false;
	int r = t == FLEET_STACK ? wants_most(s, t, n, &all, diag) : 0;

	if (r < 0)
		return r;
	if (all)
		text_add(&sql, "SELECT id, parent, frame FROM perf_stack");
	else
		postgresql_store_add_fetch(&sql, t, ids, n);
	return postgresql_select(s->pg, sql.chars, fleet_tables[t].n_columns, fleet_tab_take, &sink,
				 diag);
}

static int postgresql_store_take_name(void *arg, const struct tab_cell *cells)
{
	if (cells[0].text)
		text_addf(arg, "DROP TABLE %s;", cells[0].text);
	return 0;
}

/* Drops days whose last minute is too old. */
static int postgresql_store_drop_days(struct postgresql_store *s, int64_t limit, struct diag *diag)
{
	_cleanup_(text_done) struct text oldest = TEXT_EMPTY, drops = TEXT_EMPTY, sql = TEXT_EMPTY;
	int r;

	add_partition_name(&oldest, limit / DAY);
	text_addf(&sql,
		  "SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON oid = inhrelid "
		  "WHERE inhparent = 'perf_sample'::regclass AND relname < '%s'",
		  oldest.chars);
	r = postgresql_select(s->pg, sql.chars, 1, postgresql_store_take_name, &drops, diag);
	return r < 0 || !drops.length ? r : postgresql_run(s->pg, drops.chars, diag);
}

static int postgresql_store_read_number(struct fleet_store *store, const char *sql, int64_t *ret,
					struct diag *diag)
{
	int64_t before = *ret;
	int r = postgresql_store_ask_number((struct postgresql_store *)store, sql, ret, diag);

	if (r < 0 || !*ret)
		*ret = before;
	return r;
}

static int postgresql_store_maintain(struct fleet_store *store, const struct fleet_retention *k,
				     struct diag *diag)
{
	struct postgresql_store *s = (struct postgresql_store *)store;
	int64_t minutes = k->minutes ? k->now - k->minutes : 0;
	int64_t hours = k->hours ? k->now - k->hours : 0;
	_cleanup_(freep) char *sql = NULL;
	int r = connect_store(s, diag);

	if (r >= 0)
		r = postgresql_store_transact(s, roll_up_all, diag, diag);
	if (r >= 0)
		r = postgresql_store_drop_days(s, minutes > hours ? minutes : hours, diag);
	/*
	 * Batches stay as long as their sums, so that a batch that is sent again is reported as
	 * known.
	 */
	sql = xasprintf("DELETE FROM perf_hour WHERE hour < %" PRId64 ";"
			"DELETE FROM perf_batch WHERE minute < %" PRId64,
			hours, hours);
	return r < 0 ? r : postgresql_run(s->pg, sql, diag);
}

static const char *const schemes[] = { "postgresql", "postgres", NULL };

const struct fleet_store_class fleet_postgresql = {
	.schemes = schemes,
	.open = postgresql_store_open,
	.close = postgresql_store_close,
	.put = postgresql_store_put,
	.weights = postgresql_store_read_weights,
	.fetch = postgresql_store_fetch,
	.number = postgresql_store_read_number,
	.maintain = postgresql_store_maintain,
};
