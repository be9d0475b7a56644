/* SPDX-License-Identifier: MIT */
/*
 * A store in ClickHouse, with the SQL of versions from 18.16 on.
 *
 * There are no transactions. An INSERT is atomic for one partition, which is a day; but if an
 * INSERT is cut off during transmission, the server takes the rows that it got. So samples come
 * first, and the row of a batch, which shows that the batch is complete, comes last. Samples are in
 * a ReplacingMergeTree: rows that are sent again replace the existing ones. This happens when the
 * server merges; after an INSERT we count the rows, and make the server merge immediately if there
 * are too many.
 *
 * Sums of hours are made by clickhouse_store_maintain(), a day at a time, beside the table, and
 * then put in place as a whole. perf_rolled records which batches are in the sums of a day: their
 * number and the sum of their ids. Days for which this no longer agrees are read from the samples.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/clickhouse.h"
#include "store/data.h"
#include "store/select.h"
#include "store/store.h"
#include "store/tab-table.h"
#include "store/url.h"

#define DAY 86400

/* The maximum number of ids in a query, which may have 256 KB and 50,000 nodes. */
#define IDS_MAX 10000

/* The value in perf_rolled for a day whose samples were deleted: its sums stay as they are. */
#define FROZEN "-1"

struct clickhouse_store {
	struct fleet_store store;
	char *url; /* for messages */
	struct clickhouse *server;
};

static int clickhouse_store_run(struct clickhouse_store *s, struct diag *diag, const char *format,
				...) __attribute__((format(printf, 3, 4)));

static int clickhouse_store_run(struct clickhouse_store *s, struct diag *diag, const char *format,
				...)
{
	_cleanup_(freep) char *sql = NULL;
	va_list args;

	va_start(args, format);
	sql = xvasprintf(format, args);
	va_end(args);
	return clickhouse_run(s->server, sql, diag);
}

static void clickhouse_store_add_definition(struct text *t, enum fleet_table table)
{
	fleet_add_columns(t, table, "Int64", "String");
	switch (table) {
	case FLEET_SAMPLE:
		text_add(t, ") ENGINE = ReplacingMergeTree PARTITION BY intDiv(minute, 86400) "
			    "ORDER BY (minute, batch, source, event, stack)");
		break;
	case FLEET_BATCH:
		text_add(t, ") ENGINE = ReplacingMergeTree PARTITION BY intDiv(minute, 86400) "
			    "ORDER BY (minute, id)");
		break;
	case FLEET_HOUR:
		text_add(t, ") ENGINE = SummingMergeTree((samples, period)) "
			    "PARTITION BY intDiv(hour, 86400) "
			    "ORDER BY (hour, source, event, stack)");
		break;
	default:
		text_add(t, ") ENGINE = ReplacingMergeTree ORDER BY id");
	}
}

/* Makes the tables. Each statement can be repeated, so it may be cut off anywhere. */
static int clickhouse_store_make_tables(struct clickhouse_store *s, struct diag *diag)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int r = 0;

	for (int i = 0; r >= 0 && i < N_FLEET_TABLES; i++) {
		text_clear(&t);
		clickhouse_store_add_definition(&t, (enum fleet_table)i);
		r = clickhouse_run(s->server, t.chars, diag);
	}
	if (r >= 0)
		r = clickhouse_store_run(
			s, diag,
			"CREATE TABLE IF NOT EXISTS perf_rolled (day Int64, batches Int64, "
			"ids Int64, made Int64) ENGINE = ReplacingMergeTree(made) ORDER BY day");
	if (r >= 0)
		r = clickhouse_store_run(s, diag,
					 "CREATE TABLE IF NOT EXISTS perf_schema (version Int64) "
					 "ENGINE = ReplacingMergeTree ORDER BY version");
	return r < 0 ? r
		     : clickhouse_store_run(s, diag, "INSERT INTO perf_schema VALUES (%d)",
					    FLEET_SCHEMA_VERSION);
}

/* Gets the single number that @sql returns; @ret is unchanged if there is none. */
static int clickhouse_store_ask_number(struct clickhouse_store *s, const char *sql, int64_t *ret,
				       struct diag *diag)
{
	_cleanup_(fleet_ids_done) struct fleet_ids ids = { .diag = diag };
	int r = clickhouse_select(s->server, sql, 1, fleet_tab_take_id, &ids, diag);

	if (r >= 0 && ids.n)
		*ret = ids.items[0];
	return r;
}

static int clickhouse_store_check_version(struct clickhouse_store *s, bool writes,
					  struct diag *diag)
{
	int64_t there = 0, version = -1;
	int r = clickhouse_store_ask_number(s, "EXISTS TABLE perf_schema", &there, diag);

	if (r >= 0 && !there && !writes)
		return fleet_refuse_empty(s->url, diag);
	if (r >= 0 && there)
		r = clickhouse_store_ask_number(
			s, "SELECT version FROM perf_schema ORDER BY version DESC LIMIT 1",
			&version, diag);
	if (r < 0)
		return r;
	if (version > FLEET_SCHEMA_VERSION)
		return fleet_refuse_newer(s->url, version, diag);
	return writes && version < FLEET_SCHEMA_VERSION ? clickhouse_store_make_tables(s, diag) : 0;
}

static void clickhouse_store_close(struct fleet_store *store)
{
	struct clickhouse_store *s = (struct clickhouse_store *)store;

	clickhouse_close(s->server);
	free(s->url);
	free(s);
}

/* The parts of scheme://user@host:port/database. */
struct clickhouse_store_place {
	char *url, *user, *database;
};

static void clickhouse_store_place_done(struct clickhouse_store_place *p)
{
	free(p->url);
	free(p->user);
	free(p->database);
}

static int clickhouse_store_find_place(const struct fleet_url *u,
				       struct clickhouse_store_place *ret, struct diag *diag)
{
	bool is_encrypted = !strcmp(u->scheme, "https") || !strcmp(u->scheme, "clickhouses");
	const char *start = u->target + strlen(u->scheme) + strlen("://");
	size_t n = strcspn(start, "/?");
	const char *at = memrchr(start, '@', n), *rest = start + n;
	const char *host = at ? at + 1 : start;
	size_t n_host = (size_t)(rest - host);
	bool has_port = memchr(host[0] == '[' ? host + strcspn(host, "]") : host, ':',
			       host[0] == '[' ? n_host - strcspn(host, "]") : n_host);

	if (strchr(rest, '?') || (*rest && strchr(rest + 1, '/'))) {
		diag_set(diag, -EINVAL, "'%s' is not understood", rest);
		diag_hint(diag,
			  "ClickHouse's URL is clickhouse://USER@HOST:PORT/DATABASE, or https "
			  "in place of clickhouse.");
		return -EINVAL;
	}
	ret->url = xasprintf("%s://%.*s%s", is_encrypted ? "https" : "http", (int)n_host, host,
			     has_port       ? ""
			     : is_encrypted ? ":8443"
					    : ":8123");
	ret->user = at ? xstrndup(start, (size_t)(at - start)) : NULL;
	ret->database = *rest && rest[1] ? xstrdup(rest + 1) : NULL;
	return 0;
}

static int clickhouse_store_open(const struct fleet_url *u, bool writes, struct fleet_store **ret,
				 struct diag *diag)
{
	_cleanup_(clickhouse_store_place_done) struct clickhouse_store_place place = { 0 };
	struct clickhouse_store *s;
	int r = clickhouse_store_find_place(u, &place, diag);
	const struct clickhouse_server server = { .url = place.url,
						  .database = place.database,
						  .user = place.user,
						  .password = getenv("PERF_FLEET_PASSWORD"),
						  .patience = u->patience };

	if (r < 0)
		return r;
	s = xcalloc(1, sizeof(*s));
	s->store.class = &fleet_clickhouse;
	s->url = xstrdup(u->target);
	r = clickhouse_open(&server, &s->server, diag);
	if (r >= 0)
		r = clickhouse_store_check_version(s, writes, diag);
	if (r < 0) {
		clickhouse_store_close(&s->store);
		return r;
	}
	*ret = &s->store;
	return 0;
}

/* Finds those of @ids that table @t has. */
static int ask_known(struct clickhouse_store *s, enum fleet_table t, const struct fleet_ids *ids,
		     struct fleet_ids *known, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < ids->n; i += IDS_MAX) {
		_cleanup_(text_done) struct text sql = TEXT_EMPTY;

		text_addf(&sql, "SELECT DISTINCT id FROM %s WHERE id IN (", fleet_tables[t].name);
		fleet_tab_numbers(&sql, ids->items + i,
				  ids->n - i < IDS_MAX ? ids->n - i : IDS_MAX);
		text_add_char(&sql, ')');
		r = clickhouse_select(s->server, sql.chars, 1, fleet_tab_take_id, known, diag);
	}
	return r;
}

static void clickhouse_store_add_ids(const struct fleet_data *d, enum fleet_table t,
				     struct fleet_ids *ids)
{
	for (size_t i = 0; i < d->tables[t].n; i++)
		*ARRAY_ADD(ids) = fleet_row(d, t, i)[0].number;
}

static int clickhouse_store_insert(struct clickhouse_store *s, enum fleet_table t,
				   const struct tab_writer *w, struct diag *diag)
{
	_cleanup_(text_done) struct text target = TEXT_EMPTY;

	fleet_tab_target(&target, t);
	return clickhouse_insert(s->server, target.chars, &w->rows, diag);
}

/* Inserts the rows whose ids are not in the table. */
static int insert_missing(struct clickhouse_store *s, const struct fleet_data *d,
			  enum fleet_table t, struct diag *diag)
{
	_cleanup_(fleet_ids_done) struct fleet_ids ids = { 0 }, known = { .diag = diag };
	_cleanup_(tab_writer_done) struct tab_writer w = TAB_WRITER_EMPTY;
	int r;

	clickhouse_store_add_ids(d, t, &ids);
	r = ask_known(s, t, &ids, &known, diag);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ids.n; i++)
		if (!fleet_ids_has(&known, ids.items[i]))
			fleet_tab_add(&w, t, fleet_row(d, t, i));
	r = clickhouse_store_insert(s, t, &w, diag);
	for (size_t i = 0; r >= 0 && i < ids.n; i++)
		if (!fleet_ids_has(&known, ids.items[i]))
			fleet_store_wrote(&s->store, ids.items[i]);
	return r;
}

/* The samples of one day that are to be inserted. */
struct day {
	int64_t day;
	struct fleet_ids batches; /* the new ones of this day */
	struct tab_writer rows;
};

static void day_done(struct day *d)
{
	fleet_ids_done(&d->batches);
	tab_writer_done(&d->rows);
}

static void fill_day(struct day *day, const struct fleet_data *d, const struct fleet_ids *known)
{
	for (size_t i = 0; i < d->tables[FLEET_BATCH].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_BATCH, i);

		if (row[BATCH_MINUTE].number / DAY != day->day ||
		    fleet_ids_has(known, row[BATCH_ID].number))
			continue;
		*ARRAY_ADD(&day->batches) = row[BATCH_ID].number;
		u64_map_put(&day->batches.set, (uint64_t)row[BATCH_ID].number, day);
	}
	for (size_t i = 0; day->batches.n && i < d->tables[FLEET_SAMPLE].n; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_SAMPLE, i);

		if (fleet_ids_has(&day->batches, row[SAMPLE_BATCH].number))
			fleet_tab_add(&day->rows, FLEET_SAMPLE, row);
	}
}

/*
 * Checks that the server has at least the rows that were sent. It has more if an earlier attempt
 * was cut off.
 */
static int count_day(struct clickhouse_store *s, const struct day *day, struct diag *diag)
{
	struct diag unused = { 0 };
	int64_t all = 0;

	for (size_t i = 0; i < day->batches.n; i += IDS_MAX) {
		size_t n = day->batches.n - i < IDS_MAX ? day->batches.n - i : IDS_MAX;
		_cleanup_(text_done) struct text sql = TEXT_EMPTY;
		int64_t some = 0;
		int r;

		text_addf(&sql,
			  "SELECT count() FROM perf_sample WHERE minute >= %" PRId64
			  " AND minute < %" PRId64 " AND batch IN (",
			  day->day * DAY, (day->day + 1) * DAY);
		fleet_tab_numbers(&sql, day->batches.items + i, n);
		text_add_char(&sql, ')');
		r = clickhouse_store_ask_number(s, sql.chars, &some, diag);
		if (r < 0)
			return r;
		all += some;
	}
	if (all < (int64_t)day->rows.n_rows)
		return diag_set(diag, -EAGAIN, "%s took only %" PRId64 " of %zu rows", s->url, all,
				day->rows.n_rows);
	/*
	 * A Distributed table cannot be merged on request; its servers merge by themselves, later.
	 */
	if (all > (int64_t)day->rows.n_rows) {
		clickhouse_store_run(s, &unused,
				     "OPTIMIZE TABLE perf_sample PARTITION %" PRId64 " FINAL",
				     day->day);
		diag_done(&unused);
	}
	return 0;
}

static int insert_day(struct clickhouse_store *s, const struct fleet_data *d, int64_t number,
		      const struct fleet_ids *known, struct diag *diag)
{
	_cleanup_(day_done) struct day day = { .day = number, .rows = TAB_WRITER_EMPTY };
	int r;

	fill_day(&day, d, known);
	if (!day.batches.n)
		return 0;
	r = clickhouse_store_insert(s, FLEET_SAMPLE, &day.rows, diag);
	return r < 0 ? r : count_day(s, &day, diag);
}

/* Inserts samples. Batches are in order of time. */
static int insert_samples(struct clickhouse_store *s, const struct fleet_data *d,
			  const struct fleet_ids *known, struct diag *diag)
{
	int64_t before = INT64_MIN;
	int r = 0;

	for (size_t i = 0; r >= 0 && i < d->tables[FLEET_BATCH].n; i++) {
		int64_t day = fleet_row(d, FLEET_BATCH, i)[BATCH_MINUTE].number / DAY;

		if (day != before)
			r = insert_day(s, d, day, known, diag);
		before = day;
	}
	return r;
}

static int clickhouse_store_put(struct fleet_store *store, const struct fleet_data *d,
				struct fleet_receipt *ret, struct diag *diag)
{
	struct clickhouse_store *s = (struct clickhouse_store *)store;
	_cleanup_(fleet_ids_done) struct fleet_ids ids = { 0 }, known = { .diag = diag };
	int r;

	clickhouse_store_add_ids(d, FLEET_BATCH, &ids);
	r = ask_known(s, FLEET_BATCH, &ids, &known, diag);
	if (r < 0)
		return r;
	ret->n_known += known.n;
	if (known.n == ids.n)
		return 0;
	for (int t = 0; r >= 0 && t < N_FLEET_TABLES; t++)
		if (fleet_tables[t].is_dictionary)
			r = insert_missing(s, d, (enum fleet_table)t, diag);
	if (r >= 0)
		r = insert_samples(s, d, &known, diag);
	if (r >= 0)
		r = insert_missing(s, d, FLEET_BATCH, diag);
	if (r >= 0)
		ret->n_new += ids.n - known.n;
	return r;
}

/* The days whose sums lack batches that the days have. */
#define DAYS_CHANGED                                                                               \
	"SELECT day FROM (SELECT intDiv(minute, 86400) AS day, toInt64(count()) AS n, "            \
	"sum(id) AS all_ids FROM perf_batch GROUP BY day) ANY LEFT JOIN (SELECT day, "             \
	"argMax(batches, made) AS n_rolled, argMax(ids, made) AS ids_rolled FROM perf_rolled "     \
	"GROUP BY day) USING day "                                                                 \
	"WHERE n_rolled != " FROZEN " AND (n != n_rolled OR all_ids != ids_rolled)"

/*
 * The first day from which samples are read. Days before that whose samples are deleted are read
 * from sums.
 */
#define FIRST_CHANGED                                                                              \
	DAYS_CHANGED " AND day >= (SELECT max(day + 1) FROM perf_rolled WHERE batches = " FROZEN   \
		     ") ORDER BY day LIMIT 1"

static int clickhouse_store_read_weights(struct fleet_store *store, const struct fleet_filter *f,
					 struct fleet_data *d, struct diag *diag)
{
	struct clickhouse_store *s = (struct clickhouse_store *)store;
	struct fleet_tab_sink sink = { .data = d, .table = FLEET_SAMPLE, .diag = diag };
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	int64_t changed = INT64_MAX / DAY;
	int r = clickhouse_store_ask_number(s, FIRST_CHANGED, &changed, diag);

	if (r < 0)
		return r;
	if (changed < 0 || changed > INT64_MAX / DAY)
		return diag_set(diag, -EBADMSG,
				"the store is damaged: perf_rolled has a day that cannot be");
	fleet_select_weights(&sql, f, changed * DAY, FLEET_CLICKHOUSE);
	return clickhouse_select(s->server, sql.chars, N_WEIGHT_COLUMNS, fleet_tab_take_weight,
				 &sink, diag);
}

/*
 * Fetches all stacks, if most of them are wanted, because callers would take a query for each
 * level.
 */
static int fetch_stacks(struct clickhouse_store *s, size_t n, struct fleet_tab_sink *sink,
			bool *ret_done, struct diag *diag)
{
	int64_t rows = 0;
	int r = clickhouse_store_ask_number(s, "SELECT count() FROM perf_stack", &rows, diag);

	*ret_done = rows / 20 < (int64_t)n;
	if (r < 0 || !*ret_done)
		return r;
	return clickhouse_select(s->server, "SELECT id, parent, frame FROM perf_stack",
				 N_STACK_COLUMNS, fleet_tab_take, sink, diag);
}

static int clickhouse_store_fetch(struct fleet_store *store, enum fleet_table t, const int64_t *ids,
				  size_t n, struct fleet_data *d, struct diag *diag)
{
	struct clickhouse_store *s = (struct clickhouse_store *)store;
	struct fleet_tab_sink sink = { .data = d, .table = t, .diag = diag };
	bool done = false;
	int r = t == FLEET_STACK ? fetch_stacks(s, n, &sink, &done, diag) : 0;

	for (size_t i = 0; r >= 0 && !done && i < n; i += IDS_MAX) {
		_cleanup_(text_done) struct text sql = TEXT_EMPTY;

		text_add(&sql, "SELECT ");
		fleet_tab_columns(&sql, t);
		text_addf(&sql, " FROM %s WHERE id IN (", fleet_tables[t].name);
		fleet_tab_numbers(&sql, ids + i, n - i < IDS_MAX ? n - i : IDS_MAX);
		text_add(&sql, ") ORDER BY id");
		r = clickhouse_select(s->server, sql.chars, fleet_tables[t].n_columns,
				      fleet_tab_take, &sink, diag);
	}
	return r;
}

/* The contents of perf_rolled for a day. */
struct rolled {
	int64_t batches, ids;
	struct diag *diag;
};

static int take_rolled(void *arg, const struct tab_cell *cells)
{
	struct rolled *r = arg;

	if (tab_cell_number(&cells[0], &r->batches) < 0 || tab_cell_number(&cells[1], &r->ids) < 0)
		return diag_set(r->diag, -EBADMSG, "the store is damaged: a sum is not a number");
	return 0;
}

static int note_rolled(struct clickhouse_store *s, int64_t day, const struct rolled *r,
		       struct diag *diag)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return clickhouse_store_run(s, diag,
				    "INSERT INTO perf_rolled VALUES (%" PRId64 ", %" PRId64
				    ", %" PRId64 ", %" PRId64 ")",
				    day, r->batches, r->ids,
				    (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
}

/*
 * Makes the sums of @day again, first in table @beside. The batches that existed before are
 * recorded.
 */
static int roll_up_day(struct clickhouse_store *s, const char *beside, int64_t day,
		       struct diag *diag)
{
	_cleanup_(freep) char *sql =
		xasprintf("SELECT toInt64(count()), sum(id) FROM perf_batch WHERE "
			  "intDiv(minute, 86400) = %" PRId64,
			  day);
	struct rolled there = { .diag = diag };
	int r = clickhouse_select(s->server, sql, 2, take_rolled, &there, diag);

	if (r >= 0)
		r = clickhouse_store_run(s, diag, "CREATE TABLE %s AS perf_hour", beside);
	if (r >= 0)
		r = clickhouse_store_run(
			s, diag,
			"INSERT INTO %s SELECT intDiv(minute, 3600) * 3600 AS hour, "
			"if(rollup = 0, source, rollup) AS whose, event, stack, sum(samples), "
			"sum(period) FROM (SELECT minute, source, event, stack, samples, period "
			"FROM perf_sample FINAL WHERE intDiv(minute, 86400) = %" PRId64
			") ANY INNER JOIN perf_source ON perf_source.id = source "
			"GROUP BY hour, whose, event, stack",
			beside, day);
	if (r >= 0)
		r = clickhouse_store_run(
			s, diag, "ALTER TABLE perf_hour REPLACE PARTITION %" PRId64 " FROM %s", day,
			beside);
	return r < 0 ? r : note_rolled(s, day, &there, diag);
}

static int clickhouse_store_roll_up(struct clickhouse_store *s, struct diag *diag)
{
	_cleanup_(fleet_ids_done) struct fleet_ids days = { .diag = diag };
	struct timespec now;
	_cleanup_(freep) char *beside = NULL;
	struct diag unused = { 0 };
	int r = clickhouse_select(s->server, DAYS_CHANGED, 1, fleet_tab_take_id, &days, diag);

	clock_gettime(CLOCK_REALTIME, &now);
	beside = xasprintf("perf_hour_%lld_%ld", (long long)now.tv_sec, now.tv_nsec);
	for (size_t i = 0; r >= 0 && i < days.n; i++) {
		r = roll_up_day(s, beside, days.items[i], diag);
		clickhouse_store_run(s, &unused, "DROP TABLE IF EXISTS %s", beside);
	}
	diag_done(&unused);
	return r;
}

/* Drops the rows of table @t for days before @limit; @freezes: their sums stay as they are. */
static int clickhouse_store_drop_days(struct clickhouse_store *s, enum fleet_table t, int64_t limit,
				      bool freezes, struct diag *diag)
{
	_cleanup_(fleet_ids_done) struct fleet_ids days = { .diag = diag };
	_cleanup_(freep) char *sql =
		xasprintf("SELECT DISTINCT toInt64(partition) FROM system.parts WHERE active AND "
			  "database = currentDatabase() AND table = '%s' AND "
			  "toInt64(partition) < %" PRId64,
			  fleet_tables[t].name, limit / DAY);
	const struct rolled frozen = { .batches = -1 };
	int r = clickhouse_select(s->server, sql, 1, fleet_tab_take_id, &days, diag);

	for (size_t i = 0; r >= 0 && i < days.n; i++) {
		if (freezes)
			r = note_rolled(s, days.items[i], &frozen, diag);
		if (r >= 0)
			r = clickhouse_store_run(s, diag, "ALTER TABLE %s DROP PARTITION %" PRId64,
						 fleet_tables[t].name, days.items[i]);
	}
	return r;
}

static int clickhouse_store_read_number(struct fleet_store *store, const char *sql, int64_t *ret,
					struct diag *diag)
{
	return clickhouse_store_ask_number((struct clickhouse_store *)store, sql, ret, diag);
}

static int clickhouse_store_maintain(struct fleet_store *store, const struct fleet_retention *k,
				     struct diag *diag)
{
	struct clickhouse_store *s = (struct clickhouse_store *)store;
	int64_t minutes = k->minutes ? k->now - k->minutes : 0;
	int64_t hours = k->hours ? k->now - k->hours : 0;
	int r = clickhouse_store_roll_up(s, diag);

	if (r >= 0)
		r = clickhouse_store_drop_days(s, FLEET_SAMPLE, minutes > hours ? minutes : hours,
					       true, diag);
	if (r >= 0)
		r = clickhouse_store_drop_days(s, FLEET_HOUR, hours, false, diag);
	return r < 0 ? r : clickhouse_store_drop_days(s, FLEET_BATCH, hours, false, diag);
}

static const char *const schemes[] = { "clickhouse", "clickhouses", "http", "https", NULL };

const struct fleet_store_class fleet_clickhouse = {
	.schemes = schemes,
	.open = clickhouse_store_open,
	.close = clickhouse_store_close,
	.put = clickhouse_store_put,
	.weights = clickhouse_store_read_weights,
	.fetch = clickhouse_store_fetch,
	.number = clickhouse_store_read_number,
	.maintain = clickhouse_store_maintain,
};
