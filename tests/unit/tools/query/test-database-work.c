/* SPDX-License-Identifier: MIT */
#include "asked-database.h"
#include "skip.h"

static void a_database_of_one_recording_has_its_tables_in_main(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_answer(q.db, "SELECT count(*) FROM samples", "4 ");
	assert_answer(q.db, "SELECT count(*) FROM main.samples", "4 ");
	assert_refused(q.db, "SELECT count(*) FROM a.samples", -EINVAL, "no such table: a.samples");
	assert_int_equal(database_tables(q.db, 0)->n, 14);
	assert_int_equal(session_event_count(database_session(q.db, 0)), 2);
	asked_done(&q);
}

static struct made_recording one_sample(void)
{
	struct made_recording m = made_recording(false);

	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_PLAIN);
	made_sample(&m, 0, (struct sample){ .pid = 7, .tid = 7, .time = 70, .period = 1 });
	return m;
}

static void several_recordings_have_a_schema_each(void **state)
{
	struct asked q;

	(void)state;
	asked_open(&q, one_sample(), made_example(false));
	assert_answer(q.db, "SELECT count(*) FROM a.samples", "1 ");
	assert_answer(q.db, "SELECT count(*) FROM b.samples", "4 ");
	assert_answer(q.db, "SELECT time FROM samples", "70 ");
	assert_answer(q.db, "SELECT time FROM sched_switch", "300 ");
	assert_refused(q.db, "SELECT time FROM main.samples", -EINVAL, "no such table");
	assert_int_equal(database_tables(q.db, 0)->n, 13);
	assert_int_equal(database_tables(q.db, 1)->n, 14);
	assert_int_equal(session_event_count(database_session(q.db, 0)), 1);
	assert_int_equal(session_event_count(database_session(q.db, 1)), 2);
	asked_done(&q);
}

static int open_many(struct made_recording *made, const char *first, size_t n,
		     struct database **ret, struct diag *diag)
{
	struct recording_source sources[DATABASE_RECORDINGS_MAX + 1];
	struct database_input inputs[DATABASE_RECORDINGS_MAX + 1];
	static const char names[][2] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k" };

	for (size_t i = 0; i < n; i++) {
		sources[i] = (struct recording_source){ .open = made_open, .arg = made };
		inputs[i] = (struct database_input){ i ? names[i] : first, &sources[i] };
	}
	return database_open(inputs, n, ret, diag);
}

static bool lacks_sqlite(int r, const struct diag *diag)
{
	if (r == -ENOTSUP || r == -ENOENT)
		print_message("# %s\n", diag->message);
	return r == -ENOTSUP || r == -ENOENT;
}

static void at_most_ten_recordings_are_read_together(void **state)
{
	struct made_recording m = one_sample();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct database *db = NULL;
	int r = open_many(&m, "a", 10, &db, &diag);

	(void)state;
	if (lacks_sqlite(r, &diag)) {
		made_recording_done(&m);
		skip_because("built without SQLite");
	}
	assert_int_equal(r, 0);
	assert_answer(db, "SELECT time FROM j.samples", "70 ");
	database_close(db);
	db = NULL;
	m.opened = 0;
	assert_int_equal(open_many(&m, "a", 11, &db, &diag), -E2BIG);
	assert_string_equal(diag.message, "at most 10 recordings can be read together");
	assert_null(db);
	assert_int_equal(m.opened, 0);
	made_recording_done(&m);
}

static void a_schema_may_have_any_name_that_is_not_taken(void **state)
{
	struct made_recording m = one_sample();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct database *db = NULL;
	int r = open_many(&m, "we\"ird name", 2, &db, &diag);

	(void)state;
	if (lacks_sqlite(r, &diag)) {
		made_recording_done(&m);
		skip_because("built without SQLite");
	}
	assert_int_equal(r, 0);
	assert_answer(db, "SELECT time FROM \"we\"\"ird name\".samples", "70 ");
	database_close(db);
	db = NULL;
	assert_int_equal(open_many(&m, "b", 2, &db, &diag), -EIO);
	assert_non_null(strstr(diag.message, "SQLite: database b is already in use"));
	assert_null(db);
	made_recording_done(&m);
}

static void a_recording_that_cannot_be_opened_is_an_error(void **state)
{
	struct made_recording m = one_sample();
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct database *db = NULL;
	int r;

	(void)state;
	m.fails_at = 2;
	r = open_many(&m, "a", 3, &db, &diag);
	if (lacks_sqlite(r, &diag)) {
		made_recording_done(&m);
		skip_because("built without SQLite");
	}
	assert_int_equal(r, -ENODEV);
	assert_string_equal(diag.message, "it is gone");
	assert_null(db);
	assert_int_equal(m.opened, 2);
	database_close(NULL);
	made_recording_done(&m);
}

static void statements_of_a_text_are_prepared_one_by_one(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct statement *s = NULL;
	const char *rest = NULL;
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_int_equal(database_prepare(q.db, "SELECT 1 AS x; SELECT 2, 3", &s, &rest, &diag), 0);
	assert_string_equal(rest, " SELECT 2, 3");
	assert_int_equal(statement_columns(s), 1);
	assert_string_equal(statement_column_name(s, 0), "x");
	assert_string_equal(statement_column_name(s, 1), "");
	assert_int_equal(statement_step(s, &diag), 1);
	assert_int_equal(statement_value(s, 0).number, 1);
	assert_int_equal(statement_step(s, &diag), 0);
	statement_free(s);
	assert_int_equal(database_prepare(q.db, rest, &s, &rest, &diag), 0);
	assert_string_equal(rest, "");
	assert_int_equal(statement_columns(s), 2);
	statement_free(s);
	assert_int_equal(database_prepare(q.db, " -- nothing\n", &s, &rest, &diag), 0);
	assert_null(s);
	assert_string_equal(rest, "");
	statement_free(NULL);
	assert_null(diag.message);
	asked_done(&q);
}

static void values_keep_their_kinds(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct statement *s = NULL;
	struct query_value v;
	const char *rest;
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_int_equal(database_prepare(q.db,
					  "SELECT -9223372036854775807 - 1, 0.25, 'a' || char(0) "
					  "|| 'b', x'', NULL, '', x'41ff'",
					  &s, &rest, &diag),
			 0);
	assert_int_equal(statement_step(s, &diag), 1);
	v = statement_value(s, 0);
	assert_int_equal(v.kind, CELL_NUMBER);
	assert_true(v.number == INT64_MIN);
	v = statement_value(s, 1);
	assert_int_equal(v.kind, CELL_REAL);
	assert_true(v.real == 0.25);
	v = statement_value(s, 2);
	assert_int_equal(v.kind, CELL_TEXT);
	assert_int_equal(v.text.n, 3);
	assert_memory_equal(v.text.bytes, "a\0b", 3);
	v = statement_value(s, 3);
	assert_int_equal(v.kind, CELL_TEXT);
	assert_int_equal(v.text.n, 0);
	assert_non_null(v.text.bytes);
	assert_int_equal(statement_value(s, 4).kind, CELL_NULL);
	v = statement_value(s, 5);
	assert_int_equal(v.kind, CELL_TEXT);
	assert_int_equal(v.text.n, 0);
	assert_non_null(v.text.bytes);
	v = statement_value(s, 6);
	assert_int_equal(v.kind, CELL_TEXT);
	assert_int_equal(v.text.n, 2);
	assert_memory_equal(v.text.bytes, "A\xff", 2);
	statement_free(s);
	asked_done(&q);
}

static void what_does_not_read_is_refused(void **state)
{
	static const struct {
		const char *sql, *words;
	} cases[] = {
		{ "ATTACH 'x' AS y", "ATTACH is not allowed" },
		{ "PRAGMA user_version", "PRAGMA is not allowed" },
		{ "PRAGMA table_info2", "PRAGMA is not allowed" },
		{ "CREATE TABLE t(x)", "what changes a database is not allowed" },
		{ "CREATE TEMP TABLE t(x)", "what changes a database is not allowed" },
		{ "DROP TABLE samples", "what changes a database is not allowed" },
		{ "DETACH main", "what changes a database is not allowed" },
		{ "BEGIN", "what changes a database is not allowed" },
	};
	struct asked q;

	(void)state;
	asked_example(&q);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_refused(q.db, cases[i].sql, -EINVAL, cases[i].words);
	/* A later mistake is explained by itself. */
	assert_refused(q.db, "SELECT x", -EINVAL, "no such column: x");
	asked_done(&q);
}

static void assert_tells(struct database *db, const char *sql, const char *words)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	assert_int_equal(answer(db, sql, &out, &diag), 0);
	assert_non_null(strstr(out.chars, words));
}

static void what_tells_about_tables_is_allowed(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_answer(q.db, "PRAGMA table_info(throttles)",
		      "0|'time'|'INTEGER'|0|-|0 1|'cpu'|'INTEGER'|0|-|0 2|'event'|'TEXT'|0|-|0 "
		      "3|'kind'|'TEXT'|0|-|0 ");
	assert_tells(q.db, "PRAGMA table_xinfo(samples)", "0|'time'|'INTEGER'|1|-|0|0 ");
	assert_tells(q.db, "PRAGMA table_xinfo(samples)", "|'addr'|'INTEGER'|0|-|0|1 ");
	assert_tells(q.db, "PRAGMA table_list", "'main'|'samples'|'virtual'|");
	assert_tells(q.db, "PRAGMA function_list", "'percentile'|");
	assert_answer(q.db,
		      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3) "
		      "SELECT x FROM c",
		      "1 2 3 ");
	asked_done(&q);
}

static void mistakes_are_marked(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct statement *s = NULL;
	const char *rest = NULL;
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_int_equal(database_prepare(q.db, "SELECT tme FROM samples", &s, &rest, &diag),
			 -EINVAL);
	assert_null(s);
	assert_null(rest);
	assert_int_equal(diag.offset, 7);
	assert_int_equal(diag.length, 3);
	assert_non_null(strstr(diag.hint, "'time'"));
	asked_done(&q);
}

static void failures_while_stepping_are_errors(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_refused(q.db, "SELECT abs(-9223372036854775807 - 1)", -EINVAL, "integer overflow");
	assert_answer(q.db, "SELECT 1", "1 ");
	asked_done(&q);
}

static void rows_that_cannot_be_read_are_an_error_of_their_recording(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct asked q;

	(void)state;
	asked_open(&q, one_sample(), made_example(true));
	q.made[1].fails_at = 2;
	diag_set(&diag, -EINVAL, "an older one");
	assert_int_equal(answer(q.db, "SELECT * FROM b.samples", &out, &diag), -ENODEV);
	assert_string_equal(diag.message, "it is gone");
	asked_done(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_database_of_one_recording_has_its_tables_in_main),
		cmocka_unit_test(several_recordings_have_a_schema_each),
		cmocka_unit_test(at_most_ten_recordings_are_read_together),
		cmocka_unit_test(a_schema_may_have_any_name_that_is_not_taken),
		cmocka_unit_test(a_recording_that_cannot_be_opened_is_an_error),
		cmocka_unit_test(statements_of_a_text_are_prepared_one_by_one),
		cmocka_unit_test(values_keep_their_kinds),
		cmocka_unit_test(what_does_not_read_is_refused),
		cmocka_unit_test(what_tells_about_tables_is_allowed),
		cmocka_unit_test(mistakes_are_marked),
		cmocka_unit_test(failures_while_stepping_are_errors),
		cmocka_unit_test(rows_that_cannot_be_read_are_an_error_of_their_recording),
	};

	return cmocka_run_group_tests_name("query/database", tests, NULL, NULL);
}
