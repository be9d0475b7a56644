/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "skip.h"
#include "store/data.h"
#include "store/parcel.h"
#include "store/queue.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/url.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/perf-unit-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf %s", folder);

	(void)state;
	return system(command);
}

/* Returns @n batches of one row each, from minute @minute on. */
static struct fleet_data *make_data(const char *host, int64_t minute, int64_t n)
{
	const struct fleet_source source = { host, "it's \"s\"", "", "c\\omm\t" };
	struct fleet_data *d = fleet_data_new();
	int64_t image = fleet_add_image(d, "00ff", "/bin/x", false);
	int64_t stack = fleet_add_stack(d, 0, fleet_add_function(d, image, "main", false));

	stack = fleet_add_stack(d, stack, fleet_add_address(d, image, 0x1234));
	for (int64_t i = 0; i < n; i++)
		fleet_add(d, FLEET_SAMPLE,
			  (union fleet_cell[N_SAMPLE_COLUMNS]){
				  [SAMPLE_MINUTE].number = minute + 60 * i,
				  [SAMPLE_SOURCE].number = fleet_add_source(d, &source),
				  [SAMPLE_EVENT].number = fleet_add_event(d, "cycles", false),
				  [SAMPLE_STACK].number = stack,
				  [SAMPLE_SAMPLES].number = 1 + i,
				  [SAMPLE_PERIOD].number = 100 });
	fleet_make_batches(d, &(struct fleet_recording){ .host = host });
	return d;
}

static struct fleet_url url_of(const char *name, const char *query)
{
	_cleanup_(freep) char *text = xasprintf("sqlite:%s/%s%s", folder, name, query);
	struct diag diag = { 0 };
	struct fleet_url u;

	assert_int_equal(fleet_url_parse(text, 1000000, &u, &diag), 0);
	return u;
}

static int put(const char *name, const struct fleet_data *d, struct fleet_receipt *ret,
	       struct diag *diag)
{
	_cleanup_(fleet_url_done) struct fleet_url u = url_of(name, "");
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	int r = fleet_store_open(&u, true, &s, diag);

	return r < 0 ? r : fleet_store_put(s, d, ret, diag);
}

/* Returns the sum of the samples that were read, or a negative error. */
static int64_t read_samples(const char *name, const char *query)
{
	_cleanup_(fleet_url_done) struct fleet_url u = url_of(name, query);
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int64_t sum = 0;
	int r = fleet_read(&u, &d, &diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++)
		sum += fleet_row(d, FLEET_SAMPLE, i)[SAMPLE_SAMPLES].number;
	return sum;
}

static void sending_twice_counts_once(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 3600, 3);
	_cleanup_(fleet_data_freep) struct fleet_data *more = make_data("h", 3600, 4);
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("a.db", d, &r, &diag), 0);
	assert_int_equal(r.n_new, 3);
	assert_int_equal(put("a.db", d, &r, &diag), 0);
	assert_int_equal(r.n_new, 0);
	assert_int_equal(r.n_known, 3);
	assert_int_equal(read_samples("a.db", ""), 6);
	assert_int_equal(put("a.db", more, &r, &diag), 0);
	assert_int_equal(r.n_new, 1);
	assert_int_equal(read_samples("a.db", ""), 10);
}

static void functions_are_read_without_their_callers(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *a = make_data("h1", 3600, 3);
	_cleanup_(fleet_data_freep) struct fleet_data *b = make_data("h2", 3600, 3);
	_cleanup_(fleet_url_done) struct fleet_url u = url_of("f.db", "?by=function&by=host");
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("f.db", a, &r, &diag), 0);
	assert_int_equal(put("f.db", b, &r, &diag), 0);
	assert_int_equal(read_samples("f.db", "?by=function"), 2 * 6);
	assert_int_equal(fleet_read(&u, &d, &diag), 0);
	assert_int_equal(d->tables[FLEET_SAMPLE].n, 2);
	assert_int_equal(d->tables[FLEET_STACK].n, 1);
	assert_int_equal(fleet_row(d, FLEET_STACK, 0)[STACK_PARENT].number, 0);
	assert_int_equal(d->tables[FLEET_FRAME].n, 1);
	assert_int_equal(fleet_row(d, FLEET_FRAME, 0)[FRAME_ADDRESS].number, 0x1234);
}

static void hours_and_minutes_have_the_same_sums(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *a = make_data("h1", 3600, 90);
	_cleanup_(fleet_data_freep) struct fleet_data *b = make_data("h2", 3660, 90);
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("h.db", a, &r, &diag), 0);
	assert_int_equal(put("h.db", b, &r, &diag), 0);
	assert_int_equal(read_samples("h.db", ""), 2 * 90 * 91 / 2);
	assert_int_equal(read_samples("h.db", "?by=minute"), 2 * 90 * 91 / 2);
	assert_int_equal(read_samples("h.db", "?host=h2"), 90 * 91 / 2);
	assert_int_equal(read_samples("h.db", "?since=@3600&until=@7200"),
			 60 * 61 / 2 + 59 * 60 / 2);
	assert_int_equal(read_samples("h.db", "?since=@3600&until=@7200&by=host"),
			 60 * 61 / 2 + 59 * 60 / 2);
	assert_int_equal(read_samples("h.db", "?since=@7140&until=@7260"), 60 + 61 + 59 + 60);
	assert_int_equal(read_samples("h.db", "?service=it's*"), 2 * 90 * 91 / 2);
	assert_int_equal(read_samples("h.db", "?comm=other"), -ENODATA);
	assert_int_equal(read_samples("h.db", "?event=cyc*&host=*"), 2 * 90 * 91 / 2);
}

static void what_is_too_old_goes(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 3600, 90);
	_cleanup_(fleet_url_done) struct fleet_url u = url_of("m.db", "");
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	struct fleet_retention keep = { .now = 10800, .minutes = 3600 };
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("m.db", d, &r, &diag), 0);
	assert_int_equal(fleet_store_open(&u, true, &s, &diag), 0);
	assert_int_equal(fleet_store_maintain(s, &keep, &diag), 0);
	assert_int_equal(read_samples("m.db", ""), 90 * 91 / 2);
	assert_int_equal(read_samples("m.db", "?by=minute"), 90 * 91 / 2 - 60 * 61 / 2);
	/* Rows that are sent again are not counted again. */
	assert_int_equal(put("m.db", d, &r, &diag), 0);
	assert_int_equal(r.n_new, 0);
	keep.hours = 3600;
	assert_int_equal(fleet_store_maintain(s, &keep, &diag), 0);
	assert_int_equal(read_samples("m.db", ""), 90 * 91 / 2 - 60 * 61 / 2);
}

/* Returns the remark on the data that was read. The caller frees it. */
static char *read_remark(const char *name, const char *query)
{
	_cleanup_(fleet_url_done) struct fleet_url u = url_of(name, query);
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (fleet_read(&u, &d, &diag) < 0)
		return xasprintf("refused: %s", diag.message);
	return xstrdup(d->remark ? d->remark : "");
}

static void check_remark(const char *query, const char *part)
{
	_cleanup_(freep) char *remark = read_remark("gone.db", query);

	if (*part ? !strstr(remark, part) : *remark)
		fail_msg("%s: '%s'", query, remark);
}

static void what_is_kept_no_longer_is_said(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *old = make_data("h", 3600, 1);
	_cleanup_(fleet_data_freep) struct fleet_data *new = make_data("h", 360000, 1);
	const struct fleet_retention keep = { .now = 1000000, .minutes = 900000 };
	_cleanup_(fleet_url_done) struct fleet_url u = url_of("gone.db", "");
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("gone.db", old, &r, &diag), 0);
	assert_int_equal(put("gone.db", new, &r, &diag), 0);
	check_remark("?by=host", "");
	assert_int_equal(fleet_store_open(&u, true, &s, &diag), 0);
	assert_int_equal(fleet_store_maintain(s, &keep, &diag), 0);
	assert_int_equal(read_samples("gone.db", ""), 2);
	assert_int_equal(read_samples("gone.db", "?host=*"), 2);
	check_remark("?host=*", "");
	check_remark("?by=host", "kept from 1970-01-05T04:00 (UTC) on");
	check_remark("?host=h", "kept from");
	check_remark("?by=minute", "kept from");
	check_remark("?host=h&since=@300000", "");
	check_remark("?since=@3601", "");
	check_remark("?since=@3599", "");
	check_remark("?until=@3700", "only sums of whole hours");
	check_remark("?host=h&until=@7200", "refused: nothing in the store is of that choice: "
					    "host=h; single minutes");
}

static void run_sql(const char *name, const char *sql)
{
#if HAVE_SQLITE3
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);
	sqlite3 *db;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
#else
	(void)name, (void)sql;
#endif
}

static void damage_is_found(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 3600, 1);
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("x.db", d, &r, &diag), 0);
	run_sql("x.db", "DELETE FROM perf_frame");
	assert_int_equal(read_samples("x.db", ""), -EBADMSG);
	run_sql("x.db", "DELETE FROM perf_stack");
	assert_int_equal(read_samples("x.db", ""), -EBADMSG);
	run_sql("x.db", "UPDATE perf_schema SET version = 99");
	assert_int_equal(read_samples("x.db", ""), -ENOTSUP);
	assert_int_equal(put("x.db", d, &r, &diag), -ENOTSUP);
	diag_done(&diag);
	run_sql("x.db", "DROP TABLE perf_schema");
	assert_int_equal(read_samples("x.db", ""), -ENODATA);
	assert_int_equal(read_samples("none.db", ""), -ENOENT);
}

/* Returns the result of reading after @sql was run on a good store. */
static int64_t read_changed(const char *sql)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 3600, 1);
	_cleanup_(freep) char *path = xasprintf("%s/changed.db", folder);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_receipt r;

	unlink(path);
	assert_int_equal(put("changed.db", d, &r, &diag), 0);
	run_sql("changed.db", sql);
	return read_samples("changed.db", "");
}

static void rows_lead_somewhere(void **state)
{
	(void)state;
	assert_int_equal(read_changed("UPDATE perf_stack SET frame = 0"), -EBADMSG);
	assert_int_equal(read_changed("UPDATE perf_frame SET image = 0"), -EBADMSG);
	assert_int_equal(read_changed("UPDATE perf_hour SET event = 0"), -EBADMSG);
	assert_int_equal(read_changed("UPDATE perf_stack SET parent = id"), -EBADMSG);
	assert_int_equal(read_changed("UPDATE perf_hour SET samples = -1"), -EBADMSG);
	assert_int_equal(read_changed("DELETE FROM perf_image; INSERT INTO perf_image VALUES "
				      "(0, '', 'x', 0); UPDATE perf_frame SET image = 0"),
			 -EBADMSG);
	/* A stack without frames has no caller. */
	assert_int_equal(read_changed("UPDATE perf_hour SET stack = 0"), 1);
}

static void rows_of_the_same_id_are_compared(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 3600, 1);
	_cleanup_(fleet_data_freep) struct fleet_data *later = make_data("h", 7200, 1);
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("same.db", d, &r, &diag), 0);
	assert_int_equal(r.n_collisions, 0);
	run_sql("same.db", "UPDATE perf_frame SET function = 'mine' WHERE function = 'main'; "
			   "UPDATE perf_image SET name = '/bin/y'");
	assert_int_equal(put("same.db", later, &r, &diag), 0);
	assert_int_equal(r.n_collisions, 2);
	/* Nothing was sent. */
	assert_int_equal(put("same.db", later, &r, &diag), 0);
	assert_int_equal(r.n_collisions, 0);
}

static void nothing_in_the_file_runs(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 7200, 1);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(read_changed("DROP TABLE perf_hour; CREATE VIEW perf_hour AS WITH "
				      "RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
				      "SELECT i AS hour, i AS source, i AS event, i AS stack, 1 AS "
				      "samples, 1 AS period FROM n"),
			 -EBADMSG);
	assert_int_equal(read_changed("DROP TABLE perf_event; CREATE TABLE perf_event (id INTEGER "
				      "PRIMARY KEY, name TEXT AS (hex(zeroblob(500000000))), "
				      "is_time INTEGER)"),
			 -EBADMSG);
	assert_int_equal(read_changed("DROP TABLE perf_source"), -EBADMSG);
	/* A trigger is not a view, and does not fire. */
	assert_int_equal(read_changed("CREATE TRIGGER mine AFTER INSERT ON perf_sample BEGIN "
				      "DELETE FROM perf_batch; END"),
			 1);
	assert_int_equal(put("changed.db", d, &r, &diag), 0);
	assert_int_equal(read_samples("changed.db", ""), 2);
	assert_int_equal(read_changed("CREATE TRIGGER perf_mine AFTER INSERT ON perf_sample BEGIN "
				      "DELETE FROM perf_batch; END"),
			 -EBADMSG);
}

static void what_is_no_file_is_refused(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 7200, 1);
	_cleanup_(freep) char *path = xasprintf("%s/fifo.db", folder);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(read_samples("fifo.db", ""), -EINVAL);
	assert_int_equal(put("fifo.db", d, &r, &diag), -EINVAL);
	unlink(path);
}

static void an_older_store_is_upgraded(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 3600, 1);
	struct diag diag = { 0 };
	struct fleet_receipt r;

	(void)state;
	assert_int_equal(put("o.db", d, &r, &diag), 0);
	run_sql("o.db", "UPDATE perf_schema SET version = 0; DROP TABLE perf_hour");
	assert_int_equal(put("o.db", d, &r, &diag), 0);
	assert_int_equal(r.n_known, 1);
	assert_int_equal(read_samples("o.db", "?by=minute"), 1);
}

static void a_queue_keeps_what_waits(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *late = make_data("h", 7200, 1);
	_cleanup_(fleet_data_freep) struct fleet_data *early = make_data("h", 3600, 2);
	_cleanup_(fleet_url_done) struct fleet_url u = url_of("q.db", "");
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	struct fleet_sent sent = { 0 };
	struct fleet_queue *q, *other;
	_cleanup_(freep) char *bad = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(fleet_queue_open(folder, u.target, &q, &diag), 0);
	assert_true(fleet_queue_take(q));
	assert_false(fleet_queue_take(q));
	assert_int_equal(fleet_queue_open(folder, u.target, &other, &diag), 0);
	assert_false(fleet_queue_take(other));
	assert_int_equal(fleet_queue_add(other, late, &diag), 0);
	fleet_queue_close(other);
	assert_int_equal(fleet_queue_add(q, early, &diag), 0);
	assert_int_equal(fleet_queue_length(q), 2);
	bad = xasprintf("%s/000000000000-x.parcel", fleet_queue_folder(q));
	assert_int_equal(output_file_replace(bad, "SQLite format 3 is not here", 27, 0600), 0);
	assert_int_equal(fleet_store_open(&u, true, &s, &diag), 0);
	assert_int_equal(fleet_queue_send(q, s, &sent, &diag), 0);
	assert_int_equal(sent.n_damaged, 1);
	assert_int_equal(sent.n_refused, 0);
	assert_int_equal(sent.receipt.n_new, 3);
	assert_int_equal(fleet_queue_length(q), 0);
	assert_int_equal(read_samples("q.db", ""), 4);
	fleet_queue_give_back(q);
	assert_int_equal(fleet_queue_open(folder, u.target, &other, &diag), 0);
	assert_true(fleet_queue_take(other));
	fleet_queue_close(other);
	assert_true(fleet_queue_take(q));
	fleet_queue_close(q);
	diag_done(&diag);
}

/* Refuses batches of minute 7200, or everything. */
struct picky_store {
	struct fleet_store store;
	bool refuses_all;
};

static int picky_put(struct fleet_store *store, const struct fleet_data *d,
		     struct fleet_receipt *ret, struct diag *diag)
{
	struct picky_store *s = (struct picky_store *)store;

	if (s->refuses_all || fleet_row(d, FLEET_BATCH, 0)[BATCH_MINUTE].number == 7200)
		return diag_set(diag, -EINVAL, "not this one");
	ret->n_new++;
	return 0;
}

static void what_a_store_refuses_is_set_aside_if_it_takes_others(void **state)
{
	static const struct fleet_store_class class = { .put = picky_put };
	_cleanup_(fleet_data_freep) struct fleet_data *a = make_data("h", 7200, 1);
	_cleanup_(fleet_data_freep) struct fleet_data *b = make_data("h", 10800, 1);
	struct picky_store s = { .store.class = &class, .refuses_all = true };
	_cleanup_(freep) char *new = NULL, *old = NULL;
	struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	struct fleet_sent sent = { 0 };
	struct diag diag = { 0 };
	struct fleet_queue *q;

	(void)state;
	assert_int_equal(fleet_queue_open(folder, "picky", &q, &diag), 0);
	assert_int_equal(fleet_queue_add(q, a, &diag), 0);
	assert_int_equal(fleet_queue_add(q, b, &diag), 0);
	assert_int_equal(fleet_queue_send(q, &s.store, &sent, &diag), -EINVAL);
	assert_string_equal(diag.message, "not this one");
	diag_done(&diag);
	diag = (struct diag){ 0 };
	assert_int_equal(fleet_queue_length(q), 2);
	s.refuses_all = false;
	assert_int_equal(fleet_queue_send(q, &s.store, &sent, &diag), 0);
	assert_int_equal(sent.n_refused, 1);
	assert_int_equal(sent.receipt.n_new, 1);
	assert_string_equal(sent.refusal, "not this one");
	assert_int_equal(fleet_queue_length(q), 0);
	free(sent.refusal);

	/* Parcels that were set aside count, and files that a killed process left are removed. */
	new = xasprintf("%s/1-0.new", fleet_queue_folder(q));
	old = xasprintf("%s/1-1.new", fleet_queue_folder(q));
	assert_int_equal(output_file_replace(new, "x", 1, 0600), 0);
	assert_int_equal(output_file_replace(old, "x", 1, 0600), 0);
	assert_int_equal(utimensat(AT_FDCWD, old, times, 0), 0);
	assert_int_equal(fleet_queue_limit(q, 1), 1);
	assert_int_equal(access(new, F_OK), 0);
	assert_int_equal(access(old, F_OK), -1);
	fleet_queue_close(q);
}

/* One parcel lacks a table, one has stacks in a circle, and one is good. */
static void damaged_parcels_do_not_block_others(void **state)
{
	static const char *const damage[] = { "DROP TABLE perf_source",
					      "UPDATE perf_stack SET parent = id",
					      "DROP TABLE perf_schema" };
	static const struct fleet_store_class class = { .put = picky_put };
	struct picky_store s = { .store.class = &class };
	struct fleet_sent sent = { 0 };
	struct diag diag = { 0 };
	struct fleet_queue *q;

	(void)state;
	assert_int_equal(fleet_queue_open(folder, "damage", &q, &diag), 0);
	for (int i = 0; i < 4; i++) {
		_cleanup_(fleet_data_freep) struct fleet_data *d = make_data("h", 60 * i, 1);
		_cleanup_(freep) char *path = NULL;

		assert_int_equal(fleet_queue_add(q, d, &diag), 0);
		path = xasprintf("%s/%012d-%016llx.parcel", strrchr(fleet_queue_folder(q), '/') + 1,
				 60 * i, (long long)fleet_row(d, FLEET_BATCH, 0)[0].number);
		if (i < 3)
			run_sql(path, damage[i]);
	}
	assert_int_equal(fleet_queue_send(q, &s.store, &sent, &diag), 0);
	assert_int_equal(sent.n_damaged, 3);
	assert_int_equal(sent.receipt.n_new, 1);
	assert_int_equal(fleet_queue_length(q), 0);
	fleet_queue_close(q);
}

static void a_queue_has_a_limit(void **state)
{
	_cleanup_(fleet_data_freep) struct fleet_data *d = NULL;
	struct diag diag = { 0 };
	struct fleet_queue *q;

	(void)state;
	assert_int_equal(fleet_queue_open(folder, "limit", &q, &diag), 0);
	for (int64_t i = 0; i < 4; i++) {
		fleet_data_free(d);
		d = make_data("h", 60 * i, 1);
		assert_int_equal(fleet_queue_add(q, d, &diag), 0);
	}
	assert_int_equal(fleet_queue_limit(q, 1 << 30), 0);
	assert_int_equal(fleet_queue_limit(q, 1), 4);
	assert_int_equal(fleet_queue_length(q), 0);
	fleet_queue_close(q);
}

static void sqlite_is_not_here(void **state)
{
	(void)state;
	skip_because("built without SQLite");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sending_twice_counts_once),
		cmocka_unit_test(functions_are_read_without_their_callers),
		cmocka_unit_test(hours_and_minutes_have_the_same_sums),
		cmocka_unit_test(what_is_too_old_goes),
		cmocka_unit_test(what_is_kept_no_longer_is_said),
		cmocka_unit_test(damage_is_found),
		cmocka_unit_test(rows_lead_somewhere),
		cmocka_unit_test(rows_of_the_same_id_are_compared),
		cmocka_unit_test(nothing_in_the_file_runs),
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(an_older_store_is_upgraded),
		cmocka_unit_test(a_queue_keeps_what_waits),
		cmocka_unit_test(what_a_store_refuses_is_set_aside_if_it_takes_others),
		cmocka_unit_test(damaged_parcels_do_not_block_others),
		cmocka_unit_test(a_queue_has_a_limit),
	};
	const struct CMUnitTest none[] = { cmocka_unit_test(sqlite_is_not_here) };
	struct diag diag = { 0 };

	if (sqlite_load(&diag) < 0)
		return cmocka_run_group_tests(none, NULL, NULL);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
