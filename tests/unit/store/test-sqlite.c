/* SPDX-License-Identifier: MIT */
#include "store/sqlite.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diag.h"
#include "skip.h"

#if HAVE_SQLITE3
static void a_query_is_answered_by_the_loaded_library(void **state)
{
	struct diag diag = { 0 };
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;

	(void)state;
	if (sqlite_load(&diag) < 0) {
		diag_done(&diag);
		skip_because("built without SQLite");
	}
	assert_int_equal(sqlite_load(&diag), 0);
	assert_int_equal(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "SELECT 6 * 7", -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(s, 0), 42);
	sqlite3_finalize(s);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}
#else
static void a_build_without_it_says_so(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sqlite_load(&diag), -ENOTSUP);
	assert_string_equal(diag.message, "this perf was built without SQLite");
	diag_done(&diag);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
#if HAVE_SQLITE3
		cmocka_unit_test(a_query_is_answered_by_the_loaded_library),
#else
		cmocka_unit_test(a_build_without_it_says_so),
#endif
	};

	return cmocka_run_group_tests_name("sql/sqlite", tests, NULL, NULL);
}
