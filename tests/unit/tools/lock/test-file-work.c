/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "base/notes.h"
#include "tools/lock/internal-work.h"

static int shown(void *arg, const struct lock_counted *counted)
{
	(void)counted;
	++*(int *)arg;
	return 0;
}

/*
 * Reads a recording without events of locks. Returns the number of calls of the listener, or an
 * error.
 */
static int read_without_locks(struct lock_request *rq, struct diag *diag)
{
	int calls = 0, r;
	const struct lock_listener listener = { shown, &calls };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(recording_done) struct recording rec = recording_new();
	char path[32];

	comm(&rec, 10, 10, "ten", 100);
	stored(&rec, path);
	rq->input.path = path;
	r = lock_read(&(struct lock_job){ rq, &listener, &notes, diag });
	return r < 0 ? r : calls;
}

static void contention_needs_its_events(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct lock_request rq = { .max_stack = 8 };

	(void)state;
	assert_int_equal(read_without_locks(&rq, &diag), -ENODATA);
	assert_string_equal(diag.hint, "To record them: perf lock record -- COMMAND");
}

static void report_shows_what_there_is(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct lock_request rq = { .by = LOCK_BY_ADDR, .acquisitions = true, .max_stack = 8 };

	(void)state;
	assert_int_equal(read_without_locks(&rq, &diag), 1);
}

static void cgroups_must_be_recorded(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct lock_request rq = { .by = LOCK_BY_CGROUP, .acquisitions = true, .max_stack = 8 };

	(void)state;
	assert_int_equal(read_without_locks(&rq, &diag), -ENODATA);
	assert_string_equal(diag.hint, "To record them: perf lock record --all-cgroups -- COMMAND");
}

static void a_file_of_symbols_that_is_not_there_is_named(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct lock_request rq = { .input.symbols.kallsyms = "/no/such/file" };

	(void)state;
	assert_true(read_without_locks(&rq, &diag) < 0);
	assert_non_null(strstr(diag.message, "/no/such/file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contention_needs_its_events),
		cmocka_unit_test(report_shows_what_there_is),
		cmocka_unit_test(cgroups_must_be_recorded),
		cmocka_unit_test(a_file_of_symbols_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
