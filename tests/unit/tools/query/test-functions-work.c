/* SPDX-License-Identifier: MIT */
#include "tools/query/functions-work.h"

#include "asked-database.h"

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

#define NUMBERS "FROM (SELECT column1 AS x FROM (VALUES (10), (40), (20), (30)))"

static void percentiles_lie_between_numbers(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db, { "SELECT median(x) " NUMBERS, "25.0 " },
		{ "SELECT percentile(x, 50) " NUMBERS, "25.0 " },
		{ "SELECT percentile(x, 0) " NUMBERS, "10.0 " },
		{ "SELECT percentile(x, 100) " NUMBERS, "40.0 " },
		{ "SELECT percentile(x, 25) " NUMBERS, "17.5 " },
		{ "SELECT percentile(x, 90) " NUMBERS, "37.0 " },
		{ "SELECT percentile(x, '75') " NUMBERS, "32.5 " },
		{ "SELECT median(column1) FROM (VALUES (3), (1), (2))", "2.0 " },
		{ "SELECT median(column1) FROM (VALUES (7))", "7.0 " },
		{ "SELECT median(column1) FROM (VALUES (1.5), ('2.5'))", "2.0 " },
		{ "SELECT median(column1) FROM (VALUES (NULL), ('x'), (4), (6))", "5.0 " },
		{ "SELECT median(column1) FROM (VALUES (NULL), ('x'))", "- " },
		{ "SELECT median(pid) FROM samples WHERE pid = 7", "- " },
		{ "SELECT pid, median(time) FROM samples GROUP BY pid", "10|200.0 20|300.0 " });
	asked_done(&q);
}

static void a_percentile_is_of_one_number_from_0_to_100(void **state)
{
	static const char *const wrong[] = { "-0.001", "100.001", "NULL", "101", "-1" };
	struct asked q;
	char sql[128];

	(void)state;
	asked_example(&q);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(sql, sizeof(sql), "SELECT percentile(x, %s) " NUMBERS, wrong[i]);
		assert_refused(q.db, sql, -EINVAL,
			       "percentile(x, p): p must be a number from 0 to 100");
	}
	assert_refused(q.db, "SELECT percentile(x, x) " NUMBERS, -EINVAL,
		       "percentile(x, p): p must be the same for all rows");
	assert_refused(q.db, "SELECT percentile(1)", -EINVAL, "wrong number of arguments");
	assert_refused(q.db, "SELECT median(1, 2)", -EINVAL, "wrong number of arguments");
	asked_done(&q);
}

static void patterns_are_extended_and_find_parts(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db, { "SELECT 'perf' REGEXP '^p.rf$'", "1 " },
		{ "SELECT 'perf' REGEXP 'er'", "1 " }, { "SELECT 'perf' REGEXP 'x|f$'", "1 " },
		{ "SELECT 'perf' REGEXP '^er'", "0 " }, { "SELECT regexp('a+', 'baa')", "1 " },
		{ "SELECT regexp('baa', 'a+')", "0 " }, { "SELECT NULL REGEXP 'x'", "- " },
		{ "SELECT 'x' REGEXP NULL", "- " },
		{ "SELECT comm REGEXP 'n' FROM samples ORDER BY time", "1 0 1 0 " },
		{ "SELECT comm REGEXP substr(comm, 1, 1) || '$' FROM comms ORDER BY time",
		  "0 0 " });
	assert_refused(q.db, "SELECT 'x' REGEXP '('", -EINVAL, "REGEXP: ");
	assert_refused(q.db, "SELECT 'x' REGEXP '('", -EINVAL, "( or \\(");
	asked_done(&q);
}

static void buckets_begin_at_powers_of_two_or_at_steps(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db, { "SELECT bucket(0), bucket(-1), bucket(1), bucket(2)", "0|0|1|2 " },
		{ "SELECT bucket(3), bucket(4), bucket(1023), bucket(1024)", "2|4|512|1024 " },
		{ "SELECT bucket(9223372036854775807)", "4611686018427387904 " },
		{ "SELECT bucket(NULL), bucket(NULL, 10)", "-|- " },
		{ "SELECT bucket(0, 10), bucket(9, 10), bucket(10, 10), bucket(19, 10)",
		  "0|0|10|10 " },
		{ "SELECT bucket(-1, 10), bucket(-10, 10), bucket(-11, 10)", "-10|-10|-20 " },
		{ "SELECT bucket(5, 1), bucket(-5, 1)", "5|-5 " },
		/* The lowest number is 8 above a multiple of 10 ... */
		{ "SELECT bucket(-9223372036854775807 - 1, 10)", "-9223372036854775808 " },
		{ "SELECT bucket(-9223372036854775800, 10)", "-9223372036854775800 " },
		{ "SELECT bucket(-9223372036854775801, 10)", "-9223372036854775808 " },
		/* ... and a multiple of 8. */
		{ "SELECT bucket(-9223372036854775807, 8)", "-9223372036854775808 " });
	assert_refused(q.db, "SELECT bucket(1, 0)", -EINVAL,
		       "bucket(x, width): width must be above 0");
	assert_refused(q.db, "SELECT bucket(1, -1)", -EINVAL, "width must be above 0");
	assert_refused(q.db, "SELECT bucket()", -EINVAL, "wrong number of arguments");
	asked_done(&q);
}

static void texts_are_times(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(q.db,
		       { "SELECT ns('1.5ms'), ns('100ns'), ns('2 us'), ns('3s')",
			 "1500000|100|2000|3000000000 " },
		       { "SELECT ns('2m'), ns('2min'), ns('1h'), ns('-1ms')",
			 "120000000000|120000000000|3600000000000|-1000000 " },
		       { "SELECT ns('12.000345678')", "12000345678 " },
		       { "SELECT ns('12.000345')", "12000345000 " },
		       { "SELECT ns('12'), ns('12.'), ns('0'), ns(3)",
			 "12000000000|12000000000|0|3000000000 " },
		       { "SELECT ns('9223372035.999999999')", "9223372035999999999 " },
		       { "SELECT ns('0.4ns'), ns('0.5ns'), ns('1.5 ns')", "0|1|2 " },
		       { "SELECT ns(NULL)", "- " });
	asked_done(&q);
}

static void other_texts_are_no_times(void **state)
{
	static const char *const wrong[] = {
		"''",
		"'x'",
		"'ms'",
		"'1 x'",
		"'1msx'",
		"'-12'",
		"'1.2.3'",
		"'9223372036'",
		"'1e30s'",
		"'12.0003456789'",
		"'1.5'||char(9)||'ms'",
		"'9e18ns'",
	};
	struct asked q;
	char sql[64];

	(void)state;
	asked_example(&q);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(sql, sizeof(sql), "SELECT ns(%s)", wrong[i]);
		assert_refused(q.db, sql, -EINVAL,
			       "ns(text): not a time such as '100ms', '1.5 us' or '12.000345'");
	}
	asked_done(&q);
}

static void numbers_are_seconds_and_addresses(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	ASSERT_ANSWERS(
		q.db,
		{ "SELECT seconds(1500000000), seconds(0), seconds(999999999)",
		  "'1.500000000'|'0.000000000'|'0.999999999' " },
		{ "SELECT seconds(-1), seconds(-1000000000)", "'-0.000000001'|'-1.000000000' " },
		{ "SELECT seconds(-9223372036854775807 - 1)", "'-9223372036.854775808' " },
		{ "SELECT seconds(NULL), address(NULL)", "-|- " },
		{ "SELECT address(255), address(0), address(-1)",
		  "'0xff'|'0x0'|'0xffffffffffffffff' " });
	asked_done(&q);
}

static void stacks_are_folded_by_their_numbers(void **state)
{
	struct asked q;

	(void)state;
	asked_example(&q);
	assert_refused(q.db, "SELECT stack(1)", -EINVAL,
		       "stack(id): use it with the column stack_id of a table");
	ASSERT_ANSWERS(q.db,
		       { "SELECT time, stack(stack_id) FROM samples ORDER BY time",
			 "100|'[app];[app];work' 200|'[app]' 300|- 400|'[app];[app];work' " },
		       { "SELECT stack(NULL), stack(0), stack(3), stack(-1), stack(4294967297)",
			 "-|-|-|-|- " },
		       { "SELECT stack(2)", "'[app]' " });
	asked_done(&q);
}

static void stacks_of_the_second_recording_have_numbers_of_their_own(void **state)
{
	struct made_recording b = made_recording(false);
	struct asked q;

	(void)state;
	made_event(&b, PERF_TYPE_SOFTWARE, 0, MADE_STACKS);
	MADE_STACK(&b, ((struct sample){ .pid = 1, .tid = 1, .time = 1 }), 0x9000);
	asked_open(&q, made_example(false), b);
	assert_refused(q.db, "SELECT stack(4294967297)", -EINVAL, "use it with the column");
	ASSERT_ANSWERS(
		q.db,
		{ "SELECT stack_id, stack(stack_id) FROM b.samples", "4294967297|'[unknown]' " },
		{ "SELECT stack(4294967297), stack(4294967298), stack(8589934593)",
		  "'[unknown]'|-|- " });
	asked_done(&q);
}

static void system_calls_are_those_of_the_recorded_machine(void **state)
{
	static const struct {
		const char *arch, *expected;
	} machines[] = {
		{ "x86_64", "'read'|'exit'|100000|-1|'0'|-|0.0 " },
		{ "aarch64", "'io_setup'|'quotactl'|100000|-1|'0'|-|0.0 " },
		{ "nothing", "0|60|100000|-1|'0'|-|0.0 " },
		{ NULL, "0|60|100000|-1|'0'|-|0.0 " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		struct made_recording m = made_example(false);
		struct asked q;

		m.arch = machines[i].arch;
		asked_open(&q, m, (struct made_recording){ .fd = -1 });
		assert_answer(q.db,
			      "SELECT syscall(0), syscall(60), syscall(100000), syscall(-1),"
			      " syscall('0'), syscall(NULL), syscall(0.0)",
			      machines[i].expected);
		assert_answer(q.db, "SELECT syscall(4294967296)", "4294967296 ");
		asked_done(&q);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_lie_between_numbers),
		cmocka_unit_test(a_percentile_is_of_one_number_from_0_to_100),
		cmocka_unit_test(patterns_are_extended_and_find_parts),
		cmocka_unit_test(buckets_begin_at_powers_of_two_or_at_steps),
		cmocka_unit_test(texts_are_times),
		cmocka_unit_test(other_texts_are_no_times),
		cmocka_unit_test(numbers_are_seconds_and_addresses),
		cmocka_unit_test(stacks_are_folded_by_their_numbers),
		cmocka_unit_test(stacks_of_the_second_recording_have_numbers_of_their_own),
		cmocka_unit_test(system_calls_are_those_of_the_recorded_machine),
	};

	return cmocka_run_group_tests_name("query/functions", tests, NULL, NULL);
}
