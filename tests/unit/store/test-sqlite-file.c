/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "skip.h"
#include "store/sqlite-file.h"
#include "store/tables.h"

#if HAVE_SQLITE3
struct scratch {
	char folder[64];
	char *path;
};

static int make_scratch(void **state)
{
	struct scratch *s = xcalloc(1, sizeof(*s));

	strcpy(s->folder, "/tmp/perf-unit-XXXXXX");
	if (!mkdtemp(s->folder))
		return -1;
	s->path = xasprintf("%s/store", s->folder);
	*state = s;
	return 0;
}

static int remove_scratch(void **state)
{
	struct scratch *s = *state;
	_cleanup_(freep) char *command = xasprintf("rm -rf %s", s->folder);
	int r = system(command);

	free(s->path);
	free(s);
	return r;
}

/* Opens the file, and skips the test if SQLite is not installed. */
static void open_file(struct sqlite_file *f, const char *path, unsigned flags)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (sqlite_load(&diag) < 0)
		skip_because("built without SQLite");
	assert_int_equal(sqlite_file_open(f, path, NULL, flags, &diag), 0);
}

static void a_new_file_has_the_tables(void **state)
{
	const struct scratch *s = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sqlite_file f;
	int64_t n;

	open_file(&f, s->path, SQLITE_FILE_WRITE);
	sqlite_file_close(&f);
	open_file(&f, s->path, 0);
	assert_int_equal(sqlite_file_number(&f, "SELECT version FROM perf_schema", &n, &diag), 0);
	assert_int_equal(n, FLEET_SCHEMA_VERSION);
	/* A file that was opened for reading is not written. */
	assert_int_equal(sqlite_file_run(&f, "DELETE FROM perf_schema", &diag), -EACCES);
	sqlite_file_close(&f);
}

static void statements_that_the_file_does_not_know_are_explained(void **state)
{
	const struct scratch *s = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sqlite_file f;
	sqlite3_stmt *q;

	open_file(&f, s->path, SQLITE_FILE_WRITE);
	assert_int_equal(sqlite_file_prepare(&f, "SELECT x FROM y", &q, &diag), -EBADMSG);
	assert_non_null(strstr(diag.message, "is not as perf push makes it"));
	sqlite_file_close(&f);
}

static void reading_without_end_is_ended(void **state)
{
	const struct scratch *s = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sqlite_file f;
	int64_t n;

	open_file(&f, s->path, SQLITE_FILE_WRITE);
	sqlite_file_close(&f);
	open_file(&f, s->path, 0);
	f.steps.left = 100000;
	assert_int_equal(
		sqlite_file_number(&f,
				   "WITH RECURSIVE t(i) AS (VALUES (1) UNION ALL SELECT i + 1 "
				   "FROM t) SELECT sum(i) FROM t",
				   &n, &diag),
		-EBADMSG);
	sqlite_file_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_file_has_the_tables, make_scratch,
						remove_scratch),
		cmocka_unit_test_setup_teardown(
			statements_that_the_file_does_not_know_are_explained, make_scratch,
			remove_scratch),
		cmocka_unit_test_setup_teardown(reading_without_end_is_ended, make_scratch,
						remove_scratch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void sqlite_is_not_here(void **state)
{
	(void)state;
	skip_because("built without SQLite");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sqlite_is_not_here) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
