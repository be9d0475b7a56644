/* SPDX-License-Identifier: MIT */
#include "tools/query/recording-work.h"

#include "profile/stack-numbers.h"
#include "made-recording.h"
#include "tools/query/rows-work.h"

/* The columns of `samples` in made_example(). */
enum {
	TIME = 1 << 0,
	CPU = 1 << 1,
	PID = 1 << 2,
	EVENT = 1 << 5,
	PERIOD = 1 << 6,
	STACK_ID = 1 << 11,
};

static const struct wanted_rows everything;

static struct recording *opened(struct made_recording *m)
{
	const struct recording_source source = { .open = made_open, .arg = m, .max_stack = 127 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct recording *r = NULL;

	assert_int_equal(recording_open(&source, &r, &diag), 0);
	return r;
}

static size_t table_index(const struct recording *r, const char *name)
{
	const struct query_tables *c = recording_tables(r);

	return (size_t)(query_tables_find(c, name) - c->items);
}

static struct rows *rows_of(struct recording *r, const char *table)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct rows *rows = NULL;

	assert_int_equal(recording_rows(r, table_index(r, table), &rows, &diag), 0);
	assert_non_null(rows);
	return rows;
}

static void add_value(struct text *out, const struct rows *rows, int c, size_t row)
{
	int64_t value;
	size_t length;
	const char *name;

	if (!rows_number(rows, c, row, &value)) {
		text_add(out, "-");
	} else if (rows_is_text(rows, c)) {
		name = sample_names_get(&rows_column(rows, c)->names, (size_t)value, &length);
		text_addf(out, "'%.*s'", (int)length, name);
	} else {
		text_addf(out, "%lld", (long long)value);
	}
}

/* Asserts the rows of @table, with the columns that were read. */
static void assert_read(struct recording *r, const char *table, const char *expected)
{
	struct rows *rows = rows_of(r, table);
	size_t n = recording_tables(r)->items[table_index(r, table)].n_columns;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	text_add(&out, "");
	for (size_t row = 0; row < rows_count(rows); row++) {
		bool first = true;

		for (size_t c = 0; c < n; c++) {
			if (!rows_has(rows, (int)c))
				continue;
			text_add(&out, first ? "" : "|");
			first = false;
			add_value(&out, rows, (int)c, row);
		}
		text_add(&out, "\n");
	}
	assert_string_equal(out.chars ? out.chars : "", expected);
}

static void want(struct recording *r, const char *table, uint64_t columns, struct wanted_rows only)
{
	recording_want(r, table_index(r, table), columns, &only);
}

static void only_the_columns_that_are_wanted_are_read(void **state)
{
	struct made_recording m = made_example(false);
	struct recording *r = opened(&m);

	(void)state;
	assert_int_equal(m.opened, 1);
	assert_ptr_equal(recording_tables(r)->items[0].name,
			 query_tables_find(recording_tables(r), "samples")->name);
	assert_int_equal(session_event_count(recording_session(r)), 2);
	recording_begin(r);
	want(r, "samples", TIME | PERIOD, everything);
	assert_read(r, "samples", "100|5\n200|6\n300|1\n400|7\n");
	assert_null(recording_stacks(r));
	recording_begin(r);
	want(r, "samples", CPU | EVENT, everything);
	assert_read(r, "samples",
		    "1|'cpu-clock'\n2|'cpu-clock'\n1|'sched:sched_switch'\n2|'cpu-clock'\n");
	/* A file is opened only once. */
	assert_int_equal(m.opened, 1);
	recording_free(r);
	made_recording_done(&m);
}

static void a_table_of_a_tracepoint_has_its_samples_only(void **state)
{
	struct made_recording m = made_example(false);
	struct recording *r = opened(&m);

	(void)state;
	recording_begin(r);
	want(r, "sched_switch", 0xff, everything);
	assert_read(r, "sched_switch", "300|1|10|10|'one'|'one'|10|20\n");
	recording_free(r);
	made_recording_done(&m);
}

static void conditions_leave_samples_out(void **state)
{
	static const struct {
		struct wanted_rows only;
		const char *expected;
	} cases[] = {
		{ { .by_time = true, .from_ns = 200, .to_ns = 300 }, "200\n300\n" },
		{ { .by_time = true, .from_ns = 201, .to_ns = 299 }, "" },
		{ { .by_cpu = true, .cpu = 1 }, "100\n300\n" },
		{ { .by_pid = true, .pid = 20 }, "200\n400\n" },
		{ { .by_tid = true, .tid = 10 }, "100\n300\n" },
		{ { .by_pid = true, .pid = 11 }, "" },
		{ { .by_tid = true, .tid = 11 }, "" },
		{ { .event = "cpu-clock" }, "100\n200\n400\n" },
		{ { .event = "sched:sched_switch" }, "300\n" },
		{ { .event = "cpu" }, "" },
		{ { .by_cpu = true, .cpu = 2, .event = "cpu-clock", .by_time = true, .to_ns = 200 },
		  "200\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct made_recording m = made_example(i % 2);
		struct recording *r = opened(&m);

		recording_begin(r);
		want(r, "samples", TIME, cases[i].only);
		assert_read(r, "samples", cases[i].expected);
		recording_free(r);
		made_recording_done(&m);
	}
}

static void two_uses_of_a_table_get_what_either_needs(void **state)
{
	static const struct {
		struct wanted_rows a, b;
		const char *expected;
	} cases[] = {
		{ { .by_time = true, .from_ns = 100, .to_ns = 150 },
		  { .by_time = true, .from_ns = 200, .to_ns = 250 },
		  "100\n200\n" },
		{ { .by_time = true, .from_ns = 300, .to_ns = 400 },
		  { .by_time = true, .from_ns = 200, .to_ns = 250 },
		  "200\n300\n400\n" },
		{ { .by_time = true, .from_ns = 300, .to_ns = 400 },
		  { 0 },
		  "100\n200\n300\n400\n" },
		{ { 0 },
		  { .by_time = true, .from_ns = 300, .to_ns = 400 },
		  "100\n200\n300\n400\n" },
		{ { .by_cpu = true, .cpu = 1 }, { .by_cpu = true, .cpu = 1 }, "100\n300\n" },
		{ { .by_cpu = true, .cpu = 1 },
		  { .by_cpu = true, .cpu = 2 },
		  "100\n200\n300\n400\n" },
		{ { .by_cpu = true }, { .cpu = 0 }, "100\n200\n300\n400\n" },
		{ { .by_pid = true, .pid = 10 }, { .by_pid = true, .pid = 10 }, "100\n300\n" },
		{ { .by_pid = true, .pid = 10 },
		  { .by_pid = true, .pid = 20 },
		  "100\n200\n300\n400\n" },
		{ { .by_pid = true }, { .pid = 0 }, "100\n200\n300\n400\n" },
		{ { .by_tid = true, .tid = 10 }, { .by_tid = true, .tid = 10 }, "100\n300\n" },
		{ { .by_tid = true, .tid = 10 },
		  { .by_tid = true, .tid = 20 },
		  "100\n200\n300\n400\n" },
		{ { .by_tid = true }, { .tid = 0 }, "100\n200\n300\n400\n" },
		{ { .event = "cpu-clock" }, { .event = "cpu-clock" }, "100\n200\n400\n" },
		{ { .event = "cpu-clock" }, { .event = "" }, "100\n200\n300\n400\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct made_recording m = made_example(false);
		struct recording *r = opened(&m);

		recording_begin(r);
		want(r, "samples", TIME, cases[i].a);
		want(r, "samples", 0, cases[i].b);
		assert_read(r, "samples", cases[i].expected);
		recording_free(r);
		made_recording_done(&m);
	}
}

static void columns_of_two_uses_are_read_together(void **state)
{
	struct made_recording m = made_example(false);
	struct recording *r = opened(&m);

	(void)state;
	recording_begin(r);
	want(r, "samples", TIME, everything);
	want(r, "samples", PID, everything);
	assert_read(r, "samples", "100|10\n200|20\n300|10\n400|20\n");
	recording_free(r);
	made_recording_done(&m);
}

/* Each reading of a stream is an opening. */
static void what_was_read_is_kept_if_it_is_enough(void **state)
{
	static const struct {
		struct wanted_rows kept, wanted;
		bool again;
	} cases[] = {
		{ { 0 }, { 0 }, false },
		{ { 0 }, { .by_cpu = true, .cpu = 1 }, false },
		{ { .by_cpu = true, .cpu = 1 }, { .by_cpu = true, .cpu = 1 }, false },
		{ { .by_cpu = true, .cpu = 1 }, { .by_cpu = true, .cpu = 2 }, true },
		{ { .by_cpu = true }, { 0 }, true },
		{ { .by_pid = true, .pid = 10 }, { .by_pid = true, .pid = 10 }, false },
		{ { .by_pid = true, .pid = 10 }, { .by_pid = true, .pid = 20 }, true },
		{ { .by_pid = true }, { 0 }, true },
		{ { .by_tid = true, .tid = 10 }, { .by_tid = true, .tid = 10 }, false },
		{ { .by_tid = true, .tid = 10 }, { .by_tid = true, .tid = 20 }, true },
		{ { .by_tid = true }, { 0 }, true },
		{ { .event = "cpu-clock" }, { .event = "cpu-clock" }, false },
		{ { .event = "cpu-clock" }, { .event = "cpu" }, true },
		{ { .event = "cpu-clock" }, { 0 }, true },
		{ { 0 }, { .event = "cpu-clock" }, false },
		{ { .by_time = true, .from_ns = 100, .to_ns = 300 },
		  { .by_time = true, .from_ns = 100, .to_ns = 300 },
		  false },
		{ { .by_time = true, .from_ns = 100, .to_ns = 300 },
		  { .by_time = true, .from_ns = 99, .to_ns = 300 },
		  true },
		{ { .by_time = true, .from_ns = 100, .to_ns = 300 },
		  { .by_time = true, .from_ns = 100, .to_ns = 301 },
		  true },
		{ { .by_time = true, .from_ns = 100, .to_ns = 300 },
		  { .from_ns = 100, .to_ns = 300 },
		  true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct made_recording m = made_example(true);
		struct recording *r = opened(&m);

		assert_int_equal(m.opened, 1);
		recording_begin(r);
		want(r, "samples", TIME | CPU, cases[i].kept);
		rows_of(r, "samples");
		rows_of(r, "samples");
		assert_int_equal(m.opened, 2);
		recording_begin(r);
		want(r, "samples", CPU, cases[i].wanted);
		rows_of(r, "samples");
		assert_int_equal(m.opened, cases[i].again ? 3 : 2);
		recording_begin(r);
		want(r, "samples", PERIOD, cases[i].wanted);
		rows_of(r, "samples");
		assert_int_equal(m.opened, cases[i].again ? 4 : 3);
		recording_free(r);
		made_recording_done(&m);
	}
}

static void all_samples_of_a_statement_are_read_in_one_pass(void **state)
{
	struct made_recording m = made_example(true);
	struct recording *r = opened(&m);

	(void)state;
	recording_begin(r);
	want(r, "samples", TIME | STACK_ID, everything);
	want(r, "sched_switch", TIME, everything);
	want(r, "stacks", 1, everything);
	want(r, "frames", 1, everything);
	assert_read(r, "samples", "100|1\n200|2\n300|-\n400|1\n");
	assert_int_equal(m.opened, 2);
	assert_read(r, "sched_switch", "300\n");
	assert_read(r, "stacks",
		    "1|3|1|'work'|'work'|'[app];[app];work'\n2|1|2|-|'/bin/app'|'[app]'\n");
	assert_int_equal(rows_count(rows_of(r, "frames")), 3);
	assert_int_equal(m.opened, 2);
	assert_int_equal(stack_numbers_count(recording_stacks(r)), 2);
	recording_free(r);
	made_recording_done(&m);
}

static void stacks_are_those_of_all_samples_whatever_is_wanted(void **state)
{
	struct made_recording m = made_example(false);
	struct recording *r = opened(&m);

	(void)state;
	recording_begin(r);
	want(r, "samples", TIME | STACK_ID,
	     (struct wanted_rows){ .by_time = true, .from_ns = 200, .to_ns = 300 });
	assert_read(r, "samples", "200|2\n300|-\n");
	assert_int_equal(stack_numbers_count(recording_stacks(r)), 2);
	recording_begin(r);
	want(r, "stack_frames", 1, everything);
	assert_int_equal(rows_count(rows_of(r, "stack_frames")), 4);
	recording_free(r);
	made_recording_done(&m);
}

static void other_tables_are_read_with_all_columns_and_once(void **state)
{
	struct made_recording m = made_example(true);
	struct recording *r = opened(&m);

	(void)state;
	recording_begin(r);
	want(r, "comms", 1, (struct wanted_rows){ .by_cpu = true, .cpu = 9 });
	assert_read(r, "comms", "1|0|10|10|'one'|0\n2|0|20|20|'two'|0\n");
	assert_int_equal(m.opened, 2);
	recording_begin(r);
	want(r, "comms", UINT64_MAX, everything);
	assert_int_equal(rows_count(rows_of(r, "comms")), 2);
	assert_int_equal(m.opened, 2);
	want(r, "events", 1, everything);
	assert_int_equal(rows_count(rows_of(r, "events")), 2);
	assert_int_equal(m.opened, 2);
	want(r, "tasks", 1, everything);
	assert_int_equal(rows_count(rows_of(r, "tasks")), 2);
	assert_int_equal(m.opened, 3);
	assert_null(recording_stacks(r));
	recording_free(r);
	made_recording_done(&m);
}

static void rows_are_known_to_be_in_order_of_time(void **state)
{
	struct made_recording m = made_example(false);
	struct recording *r = opened(&m);

	(void)state;
	recording_begin(r);
	want(r, "samples", TIME, everything);
	want(r, "comms", 1, everything);
	want(r, "tasks", 1, everything);
	assert_true(rows_in_order_of(rows_of(r, "samples"), 0));
	assert_true(rows_in_order_of(rows_of(r, "comms"), 0));
	assert_false(rows_in_order_of(rows_of(r, "tasks"), 0));
	recording_free(r);
	made_recording_done(&m);
}

static size_t estimate(const struct recording *r, const char *table)
{
	return recording_estimate(r, table_index(r, table));
}

static void tables_are_estimated_until_they_are_read(void **state)
{
	struct made_recording m = made_example(false);
	struct recording *r;

	(void)state;
	for (unsigned i = 0; i < 28; i++)
		MADE_STACK(&m,
			   ((struct sample){ .pid = 20, .tid = 20, .time = 500 + i, .period = 1 }),
			   0x1100);
	r = opened(&m);
	assert_int_equal(estimate(r, "samples"), 32);
	assert_int_equal(estimate(r, "sched_switch"), 8);
	assert_int_equal(estimate(r, "stack_frames"), 32);
	assert_int_equal(estimate(r, "stacks"), 2);
	assert_int_equal(estimate(r, "frames"), 2);
	assert_int_equal(estimate(r, "comms"), 1000);
	assert_int_equal(estimate(r, "events"), 1000);
	recording_begin(r);
	want(r, "sched_switch", 1, everything);
	want(r, "comms", 1, everything);
	rows_of(r, "comms");
	assert_int_equal(estimate(r, "sched_switch"), 1);
	assert_int_equal(estimate(r, "comms"), 2);
	assert_int_equal(estimate(r, "samples"), 32);
	recording_free(r);
	made_recording_done(&m);
}

static void the_last_bit_is_of_all_columns_behind_it(void **state)
{
	struct made_recording m = made_recording(false);
	_cleanup_(text_done) struct text format = TEXT_EMPTY;
	struct recording *r;
	struct rows *rows;

	(void)state;
	text_add(&format, "name: wide\nID: 9\nformat:\n"
			  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n");
	for (unsigned i = 0; i < 60; i++)
		text_addf(&format, "\tfield:u64 f%u;\toffset:%u;\tsize:8;\tsigned:0;\n", i,
			  8 + i * 8);
	text_add(&format, "\nprint fmt: \"\"\n");
	made_tracepoint(&m, "x", 9, format.chars, MADE_TRACED);
	r = opened(&m);
	assert_string_equal(query_tables_find(recording_tables(r), "wide")->columns[63].name,
			    "f58");
	recording_begin(r);
	want(r, "wide", UINT64_C(1) << 63, everything);
	rows = rows_of(r, "wide");
	assert_false(rows_has(rows, 62));
	assert_true(rows_has(rows, 63));
	assert_true(rows_has(rows, 64));
	recording_begin(r);
	want(r, "wide", UINT64_C(1) << 62, everything);
	rows = rows_of(r, "wide");
	assert_false(rows_has(rows, 61));
	assert_true(rows_has(rows, 62));
	assert_false(rows_has(rows, 63));
	assert_false(rows_has(rows, 64));
	recording_free(r);
	made_recording_done(&m);
}

static void a_recording_that_cannot_be_opened_says_why(void **state)
{
	struct made_recording m = made_example(false);
	const struct recording_source source = { .open = made_open, .arg = &m };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct recording *r = NULL;

	(void)state;
	m.fails_at = 1;
	assert_int_equal(recording_open(&source, &r, &diag), -ENODEV);
	assert_null(r);
	assert_string_equal(diag.message, "it is gone");
	made_recording_done(&m);
}

static void a_stream_that_cannot_be_opened_again_is_an_error(void **state)
{
	static const char *const tables[] = { "samples", "comms", "stacks" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct made_recording m = made_example(true);
		struct recording *r = opened(&m);
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct rows *rows = NULL;

		m.fails_at = 2;
		recording_begin(r);
		want(r, tables[i], 1, everything);
		assert_int_equal(recording_rows(r, table_index(r, tables[i]), &rows, &diag),
				 -ENODEV);
		assert_null(rows);
		assert_string_equal(diag.message, "it is gone");
		/* The second time, the table can be read. */
		assert_true(rows_count(rows_of(r, tables[i])) > 0);
		recording_free(r);
		made_recording_done(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_columns_that_are_wanted_are_read),
		cmocka_unit_test(a_table_of_a_tracepoint_has_its_samples_only),
		cmocka_unit_test(conditions_leave_samples_out),
		cmocka_unit_test(two_uses_of_a_table_get_what_either_needs),
		cmocka_unit_test(columns_of_two_uses_are_read_together),
		cmocka_unit_test(what_was_read_is_kept_if_it_is_enough),
		cmocka_unit_test(all_samples_of_a_statement_are_read_in_one_pass),
		cmocka_unit_test(stacks_are_those_of_all_samples_whatever_is_wanted),
		cmocka_unit_test(other_tables_are_read_with_all_columns_and_once),
		cmocka_unit_test(rows_are_known_to_be_in_order_of_time),
		cmocka_unit_test(tables_are_estimated_until_they_are_read),
		cmocka_unit_test(the_last_bit_is_of_all_columns_behind_it),
		cmocka_unit_test(a_recording_that_cannot_be_opened_says_why),
		cmocka_unit_test(a_stream_that_cannot_be_opened_again_is_an_error),
	};

	return cmocka_run_group_tests_name("query/recording", tests, NULL, NULL);
}
