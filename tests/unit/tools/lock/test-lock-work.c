/* SPDX-License-Identifier: MIT */
#include "lock-example.h"

#include "base/diag.h"
#include "base/notes.h"
#include "tools/lock/internal-work.h"

static int count_rows(void *arg, const struct lock_counted *counted)
{
	size_t n;

	lock_contention_sort(counted->model, &(struct lock_sort){ .key = LOCK_FIELD_CONTENDED },
			     &n);
	*(size_t *)arg = n;
	return 7;
}

static void the_listener_gets_the_model_and_notes_what_is_missing(void **state)
{
	const char *locks[] = { "no_lock" };
	const struct lock_request rq = { .by = LOCK_BY_ADDR,
					 .filters.locks = { .items = locks, .n = 1 },
					 .verbose = true };
	size_t rows = 0;
	const struct lock_listener listener = { count_rows, &rows };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct lock_job j = { &rq, &listener, &notes, &diag };
	struct lock_contention *m = lock_job_model(&j, &example_names, NULL);

	(void)state;
	example_take(m, LOCK_BEGIN, 10, 1, CALLER);
	assert_int_equal(lock_job_show(&j, &(struct lock_counted){ .model = m,
								   .names = &example_names,
								   .is_last = true }),
			 7);
	assert_int_equal(rows, 1);
	assert_int_equal(notes.n, 2);
	assert_string_equal(notes.items[0].what.message,
			    "the kernel has no symbol 'no_lock': --lock-filter passes over it");
	assert_string_equal(notes.items[1].what.message,
			    "Waits that had not ended, whose time is not known: 1");
	lock_contention_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_listener_gets_the_model_and_notes_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
