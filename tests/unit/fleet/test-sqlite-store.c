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
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "fleet/data.h"
#include "fleet/parcel.h"
#include "fleet/queue.h"
#include "fleet/store.h"
#include "fleet/url.h"
#include "sql/sqlite.h"

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

/* @n batches of one row each, from minute @minute on. */
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

/* The sum of samples that are read; negative: the error. */
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
	/* Who sends it again is not counted again. */
	assert_int_equal(put("m.db", d, &r, &diag), 0);
	assert_int_equal(r.n_new, 0);
	keep.hours = 3600;
	assert_int_equal(fleet_store_maintain(s, &keep, &diag), 0);
	assert_int_equal(read_samples("m.db", ""), 90 * 91 / 2 - 60 * 61 / 2);
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
	struct fleet_receipt sum = { 0 };
	struct fleet_queue *q, *other;
	_cleanup_(freep) char *bad = NULL;
	struct diag diag = { 0 };
	size_t n_bad = 0;

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
	assert_int_equal(file_replace(bad, "SQLite format 3 is not here", 27, 0600), 0);
	assert_int_equal(fleet_store_open(&u, true, &s, &diag), 0);
	assert_int_equal(fleet_queue_send(q, s, &sum, &n_bad, &diag), 0);
	assert_int_equal(n_bad, 1);
	assert_int_equal(sum.n_new, 3);
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
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sending_twice_counts_once),
		cmocka_unit_test(functions_are_read_without_their_callers),
		cmocka_unit_test(hours_and_minutes_have_the_same_sums),
		cmocka_unit_test(what_is_too_old_goes),
		cmocka_unit_test(damage_is_found),
		cmocka_unit_test(an_older_store_is_upgraded),
		cmocka_unit_test(a_queue_keeps_what_waits),
		cmocka_unit_test(a_queue_has_a_limit),
	};
	const struct CMUnitTest none[] = { cmocka_unit_test(sqlite_is_not_here) };
	struct diag diag = { 0 };

	if (sqlite_load(&diag) < 0)
		return cmocka_run_group_tests(none, NULL, NULL);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
