/* SPDX-License-Identifier: MIT */
#include "lock-example.h"

static struct lock_contention *model(enum lock_by by, bool acquisitions)
{
	struct lock_contention_options o = example_options(by);

	o.acquisitions = acquisitions;
	return lock_contention_new(&o);
}

static void a_wait_goes_from_begin_to_end(void **state)
{
	_cleanup_(lock_contention_freep) struct lock_contention *m = model(LOCK_BY_CALLER, false);
	const struct lock_row *rows;

	(void)state;
	example_take(m, LOCK_BEGIN, 100, 1, CALLER);
	example_take(m, LOCK_BEGIN, 150, 1, CALLER); /* a mutex that spins begins twice */
	assert_int_equal(lock_contention_open(m), 1);
	example_take(m, LOCK_END, 300, 1, CALLER);
	rows = example_rows(m, LOCK_FIELD_CONTENDED, 1);
	assert_string_equal(rows[0].name, "caller");
	assert_int_equal(rows[0].flags, LOCK_MUTEX);
	assert_int_equal(rows[0].contended, 1);
	assert_int_equal(rows[0].total_ns, 200);
	assert_int_equal(lock_contention_open(m), 0);
	assert_false(rows[0].is_broken);
}

static void an_end_without_a_begin_is_from_before(void **state)
{
	_cleanup_(lock_contention_freep) struct lock_contention *m = model(LOCK_BY_CALLER, false);

	(void)state;
	example_take(m, LOCK_END, 300, 1, CALLER);
	example_rows(m, LOCK_FIELD_CONTENDED, 0);
	example_take(m, LOCK_BEGIN, 400, 1, CALLER);
	example_take(m, LOCK_END, 500, 2, CALLER);
	assert_int_equal(example_rows(m, LOCK_FIELD_CONTENDED, 1)[0].total_ns, 0);
	assert_int_equal(lock_contention_failures(m)->acquired, 0);
}

static void two_ends_are_a_bad_sequence(void **state)
{
	_cleanup_(lock_contention_freep) struct lock_contention *m = model(LOCK_BY_ADDR, false);
	const struct lock_row *rows;

	(void)state;
	for (int i = 0; i < 2; i++) {
		example_take(m, LOCK_BEGIN, 100, 1, CALLER);
		example_take(m, LOCK_END, 110, 1, CALLER);
		example_take(m, LOCK_END, 120, 1, CALLER);
	}
	rows = example_rows(m, LOCK_FIELD_CONTENDED, 1);
	assert_int_equal(rows[0].contended, 2);
	assert_int_equal(rows[0].total_ns, 20);
	assert_true(rows[0].is_broken);
	assert_int_equal(lock_contention_failures(m)->acquired, 1);
}

static void locks_of_lockdep_are_named_by_their_class(void **state)
{
	_cleanup_(lock_contention_freep) struct lock_contention *m = model(LOCK_BY_ADDR, true);
	const struct lock_row *rows;

	(void)state;
	example_take(m, LOCK_ACQUIRE, 100, 1, 0);
	example_take(m, LOCK_CONTENDED, 110, 1, 0);
	example_take(m, LOCK_ACQUIRED, 150, 1, 0);
	example_take(m, LOCK_RELEASE, 160, 1, 0);
	example_take(m, LOCK_ACQUIRE, 200, 1, 0);
	example_take(m, LOCK_ACQUIRED, 201, 1, 0);
	rows = example_rows(m, LOCK_FIELD_ACQUIRED, 1);
	assert_string_equal(rows[0].name, "class");
	assert_int_equal(rows[0].acquired, 2);
	assert_int_equal(rows[0].contended, 1);
	assert_int_equal(rows[0].avg_ns, 40);
}

static void take_flags(struct lock_contention *m, uint32_t flags)
{
	const struct sample sample = { 0 };
	const struct session_sample s = { .sample = &sample };
	const struct lock_event e = { .kind = LOCK_ACQUIRE, .tid = 10, .addr = 1, .flags = flags };

	lock_contention_take(m, &e, &s);
}

static void readers_may_acquire_again(void **state)
{
	_cleanup_(lock_contention_freep) struct lock_contention *m = model(LOCK_BY_ADDR, true);
	const struct lock_row *rows;

	(void)state;
	take_flags(m, LOCK_ACQUIRE_READ);
	take_flags(m, LOCK_ACQUIRE_READ);
	example_take(m, LOCK_RELEASE, 10, 1, 0);
	example_take(m, LOCK_RELEASE, 20, 1, 0);
	take_flags(m, LOCK_ACQUIRE_TRY);
	rows = example_rows(m, LOCK_FIELD_ACQUIRED, 1);
	assert_int_equal(rows[0].acquired, 3);
	assert_false(rows[0].is_broken);
	take_flags(m, 0);
	assert_int_equal(lock_contention_failures(m)->acquire, 1);
}

static void each_kind_of_bad_event_is_counted(void **state)
{
	static const struct {
		enum lock_kind kinds[3];
		size_t offset;
	} bad[] = {
		{ { LOCK_ACQUIRE, LOCK_ACQUIRE, LOCK_NONE },
		  offsetof(struct lock_failures, acquire) },
		{ { LOCK_ACQUIRE, LOCK_ACQUIRED, LOCK_ACQUIRED },
		  offsetof(struct lock_failures, acquired) },
		{ { LOCK_ACQUIRE, LOCK_ACQUIRED, LOCK_CONTENDED },
		  offsetof(struct lock_failures, contended) },
		{ { LOCK_ACQUIRE, LOCK_ACQUIRED, LOCK_ACQUIRE },
		  offsetof(struct lock_failures, acquire) },
		{ { LOCK_ACQUIRE, LOCK_RELEASE, LOCK_NONE },
		  offsetof(struct lock_failures, release) },
		{ { LOCK_ACQUIRE, LOCK_CONTENDED, LOCK_RELEASE },
		  offsetof(struct lock_failures, release) },
		{ { LOCK_ACQUIRE, LOCK_BEGIN, LOCK_NONE },
		  offsetof(struct lock_failures, contended) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct lock_contention *m = model(LOCK_BY_ADDR, true);

		for (size_t k = 0; k < 3; k++)
			example_take(m, bad[i].kinds[k], 10 * k, 1, CALLER);
		assert_int_equal(*(const uint64_t *)((const char *)lock_contention_failures(m) +
						     bad[i].offset),
				 1);
		assert_true(example_rows(m, LOCK_FIELD_ACQUIRED, 1)[0].is_broken);
		lock_contention_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_goes_from_begin_to_end),
		cmocka_unit_test(an_end_without_a_begin_is_from_before),
		cmocka_unit_test(two_ends_are_a_bad_sequence),
		cmocka_unit_test(locks_of_lockdep_are_named_by_their_class),
		cmocka_unit_test(readers_may_acquire_again),
		cmocka_unit_test(each_kind_of_bad_event_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
