/* SPDX-License-Identifier: MIT */
#include "tools/query/explain-work.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "example-rows.h"

static const struct query_tables tables = { .items = &example_table, .n = 1 };

static void the_word_is_marked_in_its_line(void **state)
{
	struct diag d = { 0 };
	const struct explained_error e = { .sql = "SELECT 1\nFROM examle",
					   .message = "no such table: examle",
					   .offset = -1,
					   .tables = &tables };

	(void)state;
	assert_int_equal(explain_error(&e, &d), -EINVAL);
	assert_string_equal(d.excerpt, "FROM examle");
	assert_int_equal(d.offset, 5);
	assert_int_equal(d.length, 6);
	assert_non_null(strstr(d.hint, "'example'"));
	assert_non_null(strstr(d.hint, "no tracepoints"));
	diag_done(&d);
}

static void a_column_of_another_schema_is_found(void **state)
{
	struct diag d = { 0 };
	const struct explained_error e = { .sql = "SELECT a.tim FROM a.example",
					   .message = "no such column: a.tim",
					   .offset = 7,
					   .tables = &tables };

	(void)state;
	explain_error(&e, &d);
	assert_int_equal(d.offset, 7);
	assert_int_equal(d.length, 5);
	assert_non_null(strstr(d.hint, "'time'"));
	diag_done(&d);
}

static void an_offset_at_the_end_is_fine(void **state)
{
	struct diag d = { 0 };
	const struct explained_error e = {
		.sql = "SELECT", .message = "incomplete input", .offset = 6, .tables = &tables
	};

	(void)state;
	explain_error(&e, &d);
	assert_int_equal(d.offset, 6);
	assert_int_equal(d.length, 0);
	diag_done(&d);
}

static void what_writes_is_refused_in_words(void **state)
{
	struct diag d = { 0 };
	const struct explained_error e = { .sql = "ATTACH 'x' AS y",
					   .message = "not authorized",
					   .offset = -1,
					   .refused = "ATTACH",
					   .tables = &tables };

	(void)state;
	explain_error(&e, &d);
	assert_string_equal(d.message, "recordings are only read: ATTACH is not allowed");
	diag_done(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_word_is_marked_in_its_line),
		cmocka_unit_test(a_column_of_another_schema_is_found),
		cmocka_unit_test(an_offset_at_the_end_is_fine),
		cmocka_unit_test(what_writes_is_refused_in_words),
	};

	return cmocka_run_group_tests_name("query/explain", tests, NULL, NULL);
}
