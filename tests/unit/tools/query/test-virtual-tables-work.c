/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
/* Estimates of costs do not appear in an answer, so the test includes the internal functions. */
#include "tools/query/virtual-tables-work.c"

#include "asked-database.h"
#include "skip.h"

struct question {
	const char *sql, *expected;
};

static void assert_answers(struct database *db, const struct question *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_answer(db, all[i].sql, all[i].expected);
}

#define ASSERT_ANSWERS(db, ...)                                                                    \
	assert_answers(db, (const struct question[]){ __VA_ARGS__ },                               \
		       sizeof((const struct question[]){ __VA_ARGS__ }) / sizeof(struct question))

/* Asserts that the plan of @sql contains @words, or that it does not. */
static void assert_plan(struct database *db, const char *sql, const char *words, bool says)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY, explain = TEXT_EMPTY;
	int r;

	text_addf(&explain, "EXPLAIN QUERY PLAN %s", sql);
	r = answer(db, explain.chars, &out, &diag);
	if (r < 0)
		fail_msg("%s: %s", sql, diag.message);
	if ((strstr(out.chars, words) != NULL) != says)
		fail_msg("%s: %s", sql, out.chars);
}

static void a_star_is_the_columns_that_are_not_hidden(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(q.db,
		       { "SELECT * FROM samples WHERE time = 200",
			 "200|2|20|20|'two'|'cpu-clock'|6|4352|-|'/bin/app'|'user'|2 " },
		       { "SELECT * FROM sched_switch", "300|1|10|10|'one'|'one'|10|20 " },
		       { "SELECT addr, sample_time, common_pid FROM sched_switch", "-|300|10 " },
		       { "SELECT symbol, mode, stack_id FROM samples ORDER BY time",
			 "'work'|'kernel'|1 -|'user'|2 -|'user'|- 'work'|'kernel'|1 " },
		       { "SELECT rowid, time FROM samples", "1|100 2|200 3|300 4|400 " },
		       { "SELECT count(*) FROM samples WHERE rowid = 2", "1 " },
		       { "SELECT tid, comm, end_time FROM tasks", "10|'one'|- 20|'two'|- " });
	asked_done(&q);
}

static void ranges_of_time_have_exact_ends(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db, { "SELECT time FROM samples WHERE time > 200", "300 400 " },
		{ "SELECT time FROM samples WHERE time >= 200", "200 300 400 " },
		{ "SELECT time FROM samples WHERE time < 300", "100 200 " },
		{ "SELECT time FROM samples WHERE time <= 300", "100 200 300 " },
		{ "SELECT time FROM samples WHERE time = 300", "300 " },
		{ "SELECT time FROM samples WHERE time BETWEEN 200 AND 300", "200 300 " },
		{ "SELECT time FROM samples WHERE time > 199.5 AND time < 300.5", "200 300 " },
		{ "SELECT time FROM samples WHERE time = 200.0", "200 " },
		{ "SELECT time FROM samples WHERE time = 200.5", "" },
		{ "SELECT time FROM samples WHERE time > 1e300", "" },
		{ "SELECT time FROM samples WHERE time > -1e300 AND time < 150", "100 " },
		{ "SELECT time FROM samples WHERE time < 'x'", "100 200 300 400 " },
		{ "SELECT time FROM samples WHERE time > NULL", "" },
		{ "SELECT time FROM samples WHERE time = NULL", "" },
		{ "SELECT time FROM samples WHERE time IS NULL", "" },
		{ "SELECT time FROM samples WHERE time IN (100, 400, 5)", "100 400 " },
		{ "SELECT time FROM samples WHERE time = 100 OR time = 400", "100 400 " },
		{ "SELECT time FROM samples WHERE time <> 100 AND time != 400", "200 300 " },
		{ "SELECT min(time), max(time) FROM samples", "100|400 " });
	asked_done(&q);
}

static void values_and_names_are_looked_up(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db, { "SELECT time FROM samples WHERE cpu = 2", "200 400 " },
		{ "SELECT time FROM samples WHERE pid = 10", "100 300 " },
		{ "SELECT time FROM samples WHERE tid = 20 AND cpu = 2", "200 400 " },
		{ "SELECT time FROM samples WHERE tid = 20 AND cpu = 1", "" },
		{ "SELECT time FROM samples WHERE cpu = 4294967297", "" },
		{ "SELECT time FROM samples WHERE cpu = '2'", "200 400 " },
		{ "SELECT time FROM samples WHERE cpu > 1 AND cpu < 3", "200 400 " },
		{ "SELECT time FROM samples WHERE comm = 'one'", "100 300 " },
		{ "SELECT time FROM samples WHERE comm = 'ONE'", "" },
		{ "SELECT time FROM samples WHERE comm = 'ONE' COLLATE NOCASE", "100 300 " },
		{ "SELECT time FROM samples WHERE comm > 'one'", "200 400 " },
		{ "SELECT time FROM samples WHERE comm < 'ONF' COLLATE NOCASE", "100 300 " },
		{ "SELECT time FROM samples WHERE event = 'sched:sched_switch'", "300 " },
		{ "SELECT time FROM samples WHERE event = 'cpu-clock' AND cpu = 2", "200 400 " },
		{ "SELECT time FROM samples WHERE event = 'nothing'", "" },
		{ "SELECT time FROM samples WHERE symbol = 'work'", "100 400 " },
		{ "SELECT time FROM samples WHERE symbol IS NULL", "200 300 " },
		{ "SELECT time FROM samples WHERE comm IN ('one', 'x')", "100 300 " },
		{ "SELECT time FROM samples WHERE comm LIKE 't%'", "200 400 " },
		{ "SELECT prev_pid FROM sched_switch WHERE prev_comm = 'one' AND tid = 20", "10 " },
		{ "SELECT prev_pid FROM sched_switch WHERE tid = 10", "" },
		{ "SELECT prev_pid FROM sched_switch WHERE sample_tid = 10", "10 " });
	asked_done(&q);
}

static void rows_come_in_any_order(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db, { "SELECT time FROM samples ORDER BY time DESC", "400 300 200 100 " },
		{ "SELECT time FROM samples ORDER BY comm DESC, time DESC", "400 200 300 100 " },
		{ "SELECT time FROM samples ORDER BY cpu DESC, period", "200 400 300 100 " },
		{ "SELECT time FROM samples WHERE cpu = 1 ORDER BY time DESC", "300 100 " },
		{ "SELECT time FROM samples WHERE cpu = 1 ORDER BY period", "300 100 " },
		{ "SELECT time FROM samples WHERE time < 400 ORDER BY period", "300 100 200 " },
		{ "SELECT comm, sum(period) FROM samples GROUP BY comm ORDER BY comm",
		  "'one'|6 'two'|13 " },
		{ "SELECT comm, cpu, count(*) FROM samples GROUP BY 1, 2", "'one'|1|2 'two'|2|2 " },
		{ "SELECT DISTINCT event FROM samples ORDER BY event",
		  "'cpu-clock' 'sched:sched_switch' " },
		{ "SELECT time FROM samples ORDER BY rowid DESC LIMIT 1", "400 " });
	asked_done(&q);
}

static void sqlite_sorts_only_what_does_not_come_in_order(void **state)
{
	static const struct {
		const char *sql;
		bool sorts;
	} cases[] = {
		{ "SELECT time FROM samples ORDER BY time", false },
		{ "SELECT time FROM samples ORDER BY time DESC", false },
		{ "SELECT time FROM samples ORDER BY comm, cpu DESC", false },
		{ "SELECT time FROM samples WHERE period > 3 ORDER BY comm", false },
		{ "SELECT time FROM samples WHERE cpu = 1 ORDER BY time", false },
		{ "SELECT time FROM samples WHERE cpu = 1 ORDER BY period", true },
		{ "SELECT time FROM samples WHERE cpu = 1 ORDER BY time, period", true },
		{ "SELECT time FROM samples WHERE period > abs(random()) ORDER BY comm", true },
		{ "SELECT time FROM samples WHERE period > abs(random()) ORDER BY time", false },
		{ "SELECT time FROM samples ORDER BY rowid", true },
		{ "SELECT time FROM samples ORDER BY comm, rowid", true },
		{ "SELECT tid FROM tasks ORDER BY start_time", false },
		{ "SELECT tid FROM tasks WHERE pid = 1 ORDER BY start_time", true },
		/* At most eight terms are supported. */
		{ "SELECT 1 FROM samples ORDER BY comm, cpu, pid, tid, event, period, ip, symbol",
		  false },
		{ "SELECT 1 FROM samples ORDER BY comm, cpu, pid, tid, event, period, ip, symbol, "
		  "dso",
		  true },
	};
	struct asked q;

	(void)state;
	asked_example(&q);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_plan(q.db, cases[i].sql, "USE TEMP B-TREE FOR ORDER BY", cases[i].sorts);
	assert_plan(q.db, "SELECT comm, count(*) FROM samples GROUP BY comm",
		    "USE TEMP B-TREE FOR GROUP BY", false);
	asked_done(&q);
}

static void the_smaller_part_is_scanned_first(void **state)
{
	struct made_recording m = made_example(false);
	struct asked q;

	(void)state;
	for (unsigned i = 0; i < 200; i++)
		MADE_STACK(&m,
			   ((struct sample){ .pid = 20, .tid = 20, .time = 500 + i, .period = 1 }),
			   0x1100);
	asked_open(&q, m, (struct made_recording){ .fd = -1 });
	/* The outer loop is the first line. */
	assert_plan(q.db, "SELECT 1 FROM samples s JOIN stacks k ON s.stack_id = k.stack_id",
		    "'SCAN k ", true);
	assert_plan(q.db,
		    "SELECT 1 FROM stacks k JOIN samples s ON s.stack_id = k.stack_id "
		    "WHERE s.time BETWEEN 1 AND 2",
		    "'SCAN s ", true);
	/*
	 * One bound of the time is worth more than one of another column, and two bounds are worth
	 * more than one.
	 */
	assert_plan(q.db,
		    "SELECT 1 FROM samples x JOIN samples y ON x.period = y.period "
		    "WHERE y.ip > 1",
		    "'SCAN x ", true);
	assert_plan(q.db,
		    "SELECT 1 FROM samples x JOIN samples y ON x.period = y.period "
		    "WHERE y.time > 1",
		    "'SCAN y ", true);
	assert_plan(q.db,
		    "SELECT 1 FROM samples x JOIN samples y ON x.period = y.period "
		    "WHERE x.time > 1 AND y.time > 1 AND y.time < 3",
		    "'SCAN y ", true);
	assert_answer(q.db,
		      "SELECT s.time, k.folded FROM samples s JOIN stacks k ON s.stack_id = "
		      "k.stack_id WHERE s.time < 500 ORDER BY s.time",
		      "100|'[app];[app];work' 200|'[app]' 400|'[app];[app];work' ");
	assert_answer(q.db,
		      "SELECT w.time, s.time FROM sched_switch w JOIN samples s ON s.pid = w.pid "
		      "AND s.time <= w.time ORDER BY s.time",
		      "300|100 300|300 ");
	asked_done(&q);
}

/* Each reading of a stream is an opening, so openings show which samples a statement requested. */
static void constant_conditions_limit_what_is_read(void **state)
{
	static const struct {
		const char *first, *second;
		bool again;
	} cases[] = {
		{ "cpu = 1", "cpu = 1", false },
		{ "cpu = 1", "cpu = 2", true },
		{ "cpu = 1", "1", true },
		{ "1", "cpu = 1", false },
		{ "pid = 10", "pid = 20", true },
		{ "pid = 10", "pid = 10", false },
		{ "tid = 10", "tid = 20", true },
		{ "tid = 10", "tid = 10", false },
		{ "event = 'cpu-clock'", "event = 'cpu-clock'", false },
		{ "event = 'cpu-clock'", "event = 'x'", true },
		/*
		 * A condition that is not constant, not an equality or not of one number limits
		 * nothing.
		 */
		{ "cpu > 1", "cpu < 3", false },
		{ "cpu IN (1, 2)", "cpu IN (3)", false },
		{ "event > 'a'", "event > 'b'", false },
		{ "event = 'a\\b'", "event = 'c\\d'", false },
		{ "event = 'x' COLLATE NOCASE", "event = 'y' COLLATE NOCASE", false },
		{ "cpu = 1.5", "cpu = 2.5", false },
		{ "cpu = 2147483648", "cpu = 2147483649", false },
		{ "cpu = 2147483647", "cpu = 2147483646", true },
		{ "cpu = -2147483649", "cpu = -2147483650", false },
		{ "cpu = -2147483648", "cpu = -2147483647", true },
		{ "comm = 'one'", "comm = 'two'", false },
		{ "time >= 200", "time >= 200", false },
		{ "time >= 200", "time >= 300", false },
		{ "time >= 200", "time >= 199", true },
		{ "time >= 200", "time <= 300", true },
		{ "time <= 300", "time <= 301", true },
		{ "time <= 300", "time <= 300", false },
		{ "time >= 200 AND time <= 300", "time = 250", false },
		{ "time >= 200 AND time <= 300 AND time >= 100", "time = 200", false },
		{ "time >= 200 AND time <= 300 AND time >= 250", "time = 249", true },
		{ "time >= 200 AND time <= 300 AND time <= 250", "time = 251", true },
		{ "time = 200", "time = 201", true },
		{ "time >= 200.5", "time >= 200", false },
		{ "time >= 200.5", "time >= 199", true },
		{ "time <= 200.5", "time <= 201", false },
		{ "time <= 200.5", "time <= 202", true },
		{ "time > 1e300", "time > 0", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		_cleanup_(text_done) struct text sql = TEXT_EMPTY, out = TEXT_EMPTY;
		struct asked q;

		asked_stream(&q);
		text_addf(&sql, "SELECT time, cpu, pid, tid, event, comm FROM samples WHERE %s",
			  cases[i].first);
		assert_int_equal(answer(q.db, sql.chars, &out, &diag), 0);
		assert_int_equal(q.made[0].opened, 2);
		text_clear(&sql);
		text_addf(&sql, "SELECT time FROM samples WHERE %s", cases[i].second);
		assert_int_equal(answer(q.db, sql.chars, &out, &diag), 0);
		if ((q.made[0].opened == 3) != cases[i].again)
			fail_msg("%s, then %s", cases[i].first, cases[i].second);
		asked_done(&q);
	}
}

/* A sample with this event's name would need 128 bytes for it. */
static void a_long_name_of_an_event_limits_nothing(void **state)
{
	for (unsigned n = 126; n <= 128; n++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		_cleanup_(text_done) struct text sql = TEXT_EMPTY, out = TEXT_EMPTY;
		struct asked q;

		(void)state;
		asked_stream(&q);
		text_add(&sql, "SELECT time, event FROM samples WHERE event = '");
		for (unsigned i = 0; i < n; i++)
			text_add_char(&sql, 'x');
		text_add(&sql, "'");
		assert_int_equal(answer(q.db, sql.chars, &out, &diag), 0);
		assert_answer(q.db, "SELECT count(event) FROM samples", "4 ");
		assert_int_equal(q.made[0].opened, n < 128 ? 3 : 2);
		asked_done(&q);
	}
}

static void many_conditions_are_all_met(void **state)
{
	_cleanup_(text_done) struct text sql = TEXT_EMPTY;
	struct asked q;

	(void)state;
	asked_example(&q);
	text_add(&sql, "SELECT time FROM samples WHERE time > 0");
	for (unsigned i = 1; i < 40; i++)
		text_addf(&sql, " AND period > %d", (int)i - 35);
	assert_answer(q.db, sql.chars, "100 200 400 ");
	text_clear(&sql);
	text_add(&sql, "SELECT time FROM samples WHERE time > 0");
	for (unsigned i = 1; i < 17; i++)
		text_addf(&sql, " AND period <> %u", i + 100);
	text_add(&sql, " AND period = 6 AND cpu = 2 AND pid = 20");
	assert_answer(q.db, sql.chars, "200 ");
	asked_done(&q);
}

static void numbers_of_stacks_are_those_of_their_recording(void **state)
{
	struct asked q;

	(void)state;
	asked_open(&q, made_example(false), made_example(false));
	ASSERT_ANSWERS(q.db, { "SELECT stack_id FROM a.samples ORDER BY time", "1 2 - 1 " },
		       { "SELECT stack_id FROM b.samples ORDER BY time",
			 "4294967297 4294967298 - 4294967297 " },
		       { "SELECT time FROM b.samples WHERE stack_id = 4294967298", "200 " },
		       { "SELECT time FROM b.samples WHERE stack_id = 2", "" },
		       { "SELECT time FROM b.samples WHERE stack_id > 4294967297", "200 " },
		       { "SELECT time FROM b.samples WHERE stack_id < 4294967298", "100 400 " },
		       { "SELECT time FROM b.samples WHERE stack_id >= -9223372036854775807",
			 "100 200 400 " },
		       { "SELECT time FROM b.samples WHERE stack_id <= 9223372036854775807",
			 "100 200 400 " },
		       { "SELECT time FROM a.samples WHERE stack_id = 2", "200 " },
		       { "SELECT stack_id, depth, frame_id FROM b.stacks",
			 "4294967297|3|1 4294967298|1|2 " },
		       { "SELECT k.folded FROM b.samples s JOIN b.stacks k USING (stack_id) WHERE "
			 "s.time = 200",
			 "'[app]' " },
		       { "SELECT cpu, pid FROM b.samples WHERE time = 200", "2|20 " });
	asked_done(&q);
}

#if HAVE_SQLITE3
static void a_table_that_is_not_in_the_catalog_is_not_made(void **state)
{
	struct made_recording m = made_example(false);
	const struct recording_source source = { .open = made_open, .arg = &m };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct table_host host = { .number = 3, .diag = &diag };
	sqlite3 *db = NULL;

	(void)state;
	if (sqlite_load(&diag) < 0) {
		print_message("# %s\n", diag.message);
		made_recording_done(&m);
		skip();
	}
	assert_int_equal(recording_open(&source, &host.recording, &diag), 0);
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(tables_make(db, &host, "nowhere"), SQLITE_ERROR);
	assert_int_equal(tables_make(db, &host, "main"), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE VIRTUAL TABLE x USING perf_recording_3(13)", NULL,
				      NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE VIRTUAL TABLE y USING perf_recording_3(14)", NULL,
				      NULL, NULL),
			 SQLITE_ERROR);
	assert_int_equal(
		sqlite3_exec(db, "CREATE VIRTUAL TABLE z USING perf_recording_3", NULL, NULL, NULL),
		SQLITE_ERROR);
	sqlite3_close(db);
	recording_free(host.recording);
	made_recording_done(&m);
}

static void guesses_of_how_few_rows_a_value_has(void **state)
{
	static const struct {
		const char *name;
		unsigned parts;
	} all[] = { { "cpu", 4 },         { "event", 2 },     { "mode", 2 },
		    { "comm", 8 },        { "pid", 16 },      { "tid", 32 },
		    { "symbol", 100 },    { "dso", 8 },       { "stack_id", 1000 },
		    { "frame_id", 1000 }, { "time", 100000 }, { "Time", 100000 },
		    { "cp", 50 },         { "period", 50 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		assert_int_equal(
			tables_selectivity(&(struct query_column){ .name = (char *)all[i].name }),
			all[i].parts);
}

/*
 * Opens a recording for @ret, whose table is that of tasks, with an estimate of 1000 rows. Returns
 * false without SQLite.
 */
static bool open_tasks(struct made_recording *m, struct table_host *host, struct used_table *ret,
		       struct diag *diag)
{
	const struct recording_source source = { .open = made_open, .arg = m };
	const struct query_tables *catalog;

	if (sqlite_load(diag) < 0)
		return false;
	assert_int_equal(recording_open(&source, &host->recording, diag), 0);
	catalog = recording_tables(host->recording);
	*ret = (struct used_table){ .host = host };
	while (strcmp(catalog->items[ret->index].name, "tasks") != 0)
		ret->index++;
	ret->table = &catalog->items[ret->index];
	return true;
}

static void costs_follow_from_the_rows_that_are_left(void **state)
{
	static const struct {
		unsigned parts, range_ends;
		bool looks_up;
		long long rows;
		double cost;
	} all[] = {
		{ 1, 0, false, 1001, 1009 },  { 8, 0, false, 1001, 1009 },
		{ 8, 0, true, 125, 133.125 }, { 1, 1, false, 250, 258.25 },
		{ 1, 2, false, 10, 18.01 },   { 1, 3, false, 10, 18.01 },
		{ 2, 1, true, 125, 133.125 }, { 1001, 0, true, 1, 9 },
		{ 100000, 0, true, 1, 9 },    { 1000, 0, true, 1, 9.001 },
	};
	struct made_recording m = made_example(false);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct table_host host = { .number = 3, .diag = &diag };
	struct used_table t;

	(void)state;
	if (!open_tasks(&m, &host, &t, &diag)) {
		made_recording_done(&m);
		skip_because("built without SQLite");
	}
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		sqlite3_index_info info = { 0 };
		struct planning p = { .t = &t,
				      .info = &info,
				      .parts = all[i].parts,
				      .range_ends = all[i].range_ends,
				      .plan.looks_up = all[i].looks_up };

		tables_estimate(&p);
		assert_int_equal(info.estimatedRows, all[i].rows);
		assert_true(fabs(info.estimatedCost - all[i].cost) < 1e-6);
	}
	recording_free(host.recording);
	made_recording_done(&m);
}

static void operators_are_known(void **state)
{
	enum plan_operator op;

	(void)state;
	assert_true(operator_of(SQLITE_INDEX_CONSTRAINT_EQ, &op) && op == PLAN_EQUAL);
	assert_true(operator_of(SQLITE_INDEX_CONSTRAINT_GT, &op) && op == PLAN_ABOVE);
	assert_true(operator_of(SQLITE_INDEX_CONSTRAINT_GE, &op) && op == PLAN_ABOVE);
	assert_true(operator_of(SQLITE_INDEX_CONSTRAINT_LT, &op) && op == PLAN_BELOW);
	assert_true(operator_of(SQLITE_INDEX_CONSTRAINT_LE, &op) && op == PLAN_BELOW);
	assert_false(operator_of(SQLITE_INDEX_CONSTRAINT_NE, &op));
	assert_false(operator_of(SQLITE_INDEX_CONSTRAINT_LIKE, &op));
}

/* Returns a request for the numbers @low to @high of @field. */
static struct wanted_rows wants(const char *field, enum plan_operator op, int64_t low, int64_t high)
{
	const struct plan_bound b = { .kind = BOUND_NUMBER, .low = low, .high = high };
	struct wanted_rows w = { 0 };

	want_number(&w, field, op, &b);
	return w;
}

static void only_what_a_number_allows_is_wanted(void **state)
{
	const struct plan_bound later = { .kind = BOUND_NUMBER, .low = 150, .high = 150 };
	struct wanted_rows w = wants("time", PLAN_ABOVE, 100, 101);

	(void)state;
	assert_true(w.by_time && !w.by_cpu && !w.by_pid && !w.by_tid);
	assert_int_equal(w.from_ns, 100);
	assert_true(w.to_ns == INT64_MAX);
	/* The narrower of two bounds holds. */
	want_number(&w, "time", PLAN_ABOVE, &later);
	assert_int_equal(w.from_ns, 150);
	want_number(&w, "time", PLAN_BELOW, &later);
	assert_int_equal(w.from_ns, 150);
	assert_int_equal(w.to_ns, 150);
	w = wants("time", PLAN_BELOW, 100, 101);
	assert_true(w.from_ns == INT64_MIN);
	assert_int_equal(w.to_ns, 101);
	w = wants("time", PLAN_EQUAL, 100, 101);
	assert_int_equal(w.from_ns, 100);
	assert_int_equal(w.to_ns, 101);
	w = wants("cpu", PLAN_EQUAL, 3, 3);
	assert_true(w.by_cpu && w.cpu == 3 && !w.by_time && !w.by_pid && !w.by_tid);
	w = wants("pid", PLAN_EQUAL, -1, -1);
	assert_true(w.by_pid && w.pid == UINT32_MAX && !w.by_cpu && !w.by_tid);
	w = wants("tid", PLAN_EQUAL, 5, 5);
	assert_true(w.by_tid && w.tid == 5 && !w.by_cpu && !w.by_pid);
	assert_true(wants("tid", PLAN_EQUAL, INT32_MAX, INT32_MAX).by_tid);
	assert_true(wants("tid", PLAN_EQUAL, INT32_MIN, INT32_MIN).by_tid);
	assert_false(
		wants("tid", PLAN_EQUAL, (int64_t)INT32_MAX + 1, (int64_t)INT32_MAX + 1).by_tid);
	assert_false(
		wants("tid", PLAN_EQUAL, (int64_t)INT32_MIN - 1, (int64_t)INT32_MIN - 1).by_tid);
	assert_false(wants("tid", PLAN_EQUAL, 5, 6).by_tid);
	assert_false(wants("tid", PLAN_ABOVE, 5, 5).by_tid);
	assert_false(wants("period", PLAN_EQUAL, 5, 5).by_tid);
}

/* An SQL function whose argument becomes a bound. */
static void take_bound(sqlite3_context *out, int n, sqlite3_value **args)
{
	struct plan_bound *b = sqlite3_user_data(out);

	(void)n;
	*b = tables_bound_of(args[0]);
	/* The text is gone when the function returns. */
	if (b->kind == BOUND_TEXT)
		assert_memory_equal(b->text, "ab", 3);
	sqlite3_result_null(out);
}

static void values_as_bounds(void **state)
{
	static const struct {
		const char *sql;
		int kind;
		int64_t low, high;
	} all[] = {
		{ "NULL", BOUND_NONE, 0, 0 },
		{ "-7", BOUND_NUMBER, -7, -7 },
		{ "9223372036854775807", BOUND_NUMBER, INT64_MAX, INT64_MAX },
		{ "1.5", BOUND_NUMBER, 1, 2 },
		{ "-1.5", BOUND_NUMBER, -2, -1 },
		{ "2.0", BOUND_NUMBER, 2, 2 },
		{ "8.9e18", BOUND_NUMBER, INT64_C(8900000000000000000),
		  INT64_C(8900000000000000000) },
		{ "9e18", BOUND_ANY, 0, 0 },
		{ "-9e18", BOUND_ANY, 0, 0 },
		{ "1e300", BOUND_ANY, 0, 0 },
		{ "x'6162'", BOUND_ANY, 0, 0 },
		{ "'ab'", BOUND_TEXT, 0, 0 },
	};
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct plan_bound b;
	sqlite3 *db = NULL;

	(void)state;
	if (sqlite_load(&diag) < 0) {
		print_message("# %s\n", diag.message);
		skip();
	}
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_create_function(db, "take", 1, SQLITE_UTF8, &b, take_bound, NULL, NULL),
		SQLITE_OK);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		_cleanup_(freep) char *sql = xasprintf("SELECT take(%s)", all[i].sql);

		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		assert_int_equal(b.kind, all[i].kind);
		if (b.kind == BOUND_NUMBER) {
			assert_true(b.low == all[i].low);
			assert_true(b.high == all[i].high);
		}
		if (b.kind == BOUND_TEXT)
			assert_int_equal(b.length, 2);
	}
	sqlite3_close(db);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_star_is_the_columns_that_are_not_hidden),
		cmocka_unit_test(ranges_of_time_have_exact_ends),
		cmocka_unit_test(values_and_names_are_looked_up),
		cmocka_unit_test(rows_come_in_any_order),
		cmocka_unit_test(sqlite_sorts_only_what_does_not_come_in_order),
		cmocka_unit_test(the_smaller_part_is_scanned_first),
		cmocka_unit_test(constant_conditions_limit_what_is_read),
		cmocka_unit_test(a_long_name_of_an_event_limits_nothing),
		cmocka_unit_test(many_conditions_are_all_met),
		cmocka_unit_test(numbers_of_stacks_are_those_of_their_recording),
#if HAVE_SQLITE3
		cmocka_unit_test(a_table_that_is_not_in_the_catalog_is_not_made),
		cmocka_unit_test(guesses_of_how_few_rows_a_value_has),
		cmocka_unit_test(costs_follow_from_the_rows_that_are_left),
		cmocka_unit_test(operators_are_known),
		cmocka_unit_test(only_what_a_number_allows_is_wanted),
		cmocka_unit_test(values_as_bounds),
#endif
	};

	return cmocka_run_group_tests_name("query/virtual-tables", tests, NULL, NULL);
}
