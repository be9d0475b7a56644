/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/data/sql-tables.h"

static void a_table_has_its_key_and_types(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	sql_add_table(&t, EXPORT_CALL_PATH, SQL_SQLITE);
	assert_string_equal(t.chars, "CREATE TABLE call_paths (id integer PRIMARY KEY, "
				     "parent_id bigint, symbol_id bigint, ip bigint)");
	text_clear(&t);
	sql_add_table(&t, EXPORT_EVSEL, SQL_POSTGRESQL);
	assert_string_equal(t.chars,
			    "CREATE TABLE selected_events (id bigint PRIMARY KEY, name text)");
}

static void columns_are_counted(void **state)
{
	(void)state;
	assert_int_equal(sql_table_columns(EXPORT_EVSEL), 2);
	assert_int_equal(sql_table_columns(EXPORT_SAMPLE), EXPORT_COLUMNS_MAX);
	for (int i = 0; i < EXPORT_TABLES; i++)
		assert_true(sql_table_columns((enum export_table)i) <= EXPORT_COLUMNS_MAX);
}

static void views_use_the_functions_of_the_database(void **state)
{
	(void)state;
	for (size_t i = 0; i < sql_views(); i++) {
		_cleanup_(text_done) struct text lite = TEXT_EMPTY, server = TEXT_EMPTY;

		sql_add_view(&lite, i, SQL_SQLITE);
		sql_add_view(&server, i, SQL_POSTGRESQL);
		assert_null(strstr(lite.chars, "HEX("));
		assert_null(strstr(server.chars, "HEX("));
		assert_null(strstr(server.chars, "printf"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_has_its_key_and_types),
		cmocka_unit_test(columns_are_counted),
		cmocka_unit_test(views_use_the_functions_of_the_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
