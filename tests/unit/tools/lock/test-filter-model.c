/* SPDX-License-Identifier: MIT */
#include "lock-example.h"

#include "base/diag.h"
#include "base/memory.h"

static bool passes(const struct lock_filters *f, const struct lock_waits *w)
{
	struct lock_filter ready;
	bool once, twice;

	lock_filter_init(&ready, f, &example_names);
	once = lock_filter_passes(&ready, &example_names, w);
	twice = lock_filter_passes(&ready, &example_names, w);
	lock_filter_done(&ready);
	assert_int_equal(once, twice);
	return once;
}

static void without_filters_all_pass(void **state)
{
	const struct lock_filters none = { 0 };

	(void)state;
	assert_true(passes(NULL, &(struct lock_waits){ 0 }));
	assert_true(passes(&none, &(struct lock_waits){ .addr = 5 }));
}

static void types_are_told_by_flags(void **state)
{
	struct lock_filters f = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(lock_types_parse(&f.types, "mutex", &diag), 0);
	assert_true(passes(&f, &(struct lock_waits){ .flags = LOCK_MUTEX }));
	assert_false(passes(&f, &(struct lock_waits){ .flags = LOCK_SPIN }));
	lock_filters_done(&f);
}

static void locks_are_symbols_or_addresses(void **state)
{
	const char *names[] = { "0xabc", "a_lock", "no_lock" };
	const struct lock_filters f = { .locks = { .items = names, .n = 3 } };
	struct lock_filter ready;

	(void)state;
	assert_true(passes(&f, &(struct lock_waits){ .addr = 0xabc }));
	assert_true(passes(&f, &(struct lock_waits){ .addr = A_LOCK }));
	assert_false(passes(&f, &(struct lock_waits){ .addr = A_LOCK + 8 }));
	assert_true(passes(&f, &(struct lock_waits){ .addr = 0 }));
	lock_filter_init(&ready, &f, &example_names);
	assert_int_equal(ready.n_unknown, 1);
	assert_string_equal(ready.unknown[0], "no_lock");
	lock_filter_done(&ready);
}

static void a_name_may_be_that_of_a_lock_of_user_space(void **state)
{
	const char *names[] = { "hot_lock" };
	const struct lock_filters f = { .user = true, .locks = { .items = names, .n = 1 } };
	struct lock_filter ready;

	(void)state;
	assert_false(passes(&f, &(struct lock_waits){ .addr = A_LOCK }));
	assert_true(passes(&f, &(struct lock_waits){ .addr = 5, .flags = LOCK_USER }));
	lock_filter_init(&ready, &f, &example_names);
	assert_int_equal(ready.n_unknown, 0);
	lock_filter_done(&ready);
}

static void a_part_of_any_name_in_the_stack_will_do(void **state)
{
	const char *names[] = { "none", "raw_spin" };
	const struct lock_filters f = { .callers = { .items = names, .n = 2 } };
	const uint64_t spins[] = { SPIN_LOCK, CALLER }, sleeps[] = { MUTEX_LOCK, CALLER };

	(void)state;
	assert_true(passes(&f, &(struct lock_waits){ .stack = spins, .n_stack = 2 }));
	assert_false(passes(&f, &(struct lock_waits){ .stack = sleeps, .n_stack = 2 }));
	assert_true(passes(&f, &(struct lock_waits){ .stack = NULL }));
}

static void cgroups_are_ids(void **state)
{
	uint64_t ids[] = { 7 };
	const struct lock_filters f = { .cgroups = { .items = ids, .n = 1 } };

	(void)state;
	assert_true(passes(&f, &(struct lock_waits){ .cgroup = 7 }));
	assert_false(passes(&f, &(struct lock_waits){ .cgroup = 8 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_filters_all_pass),
		cmocka_unit_test(types_are_told_by_flags),
		cmocka_unit_test(locks_are_symbols_or_addresses),
		cmocka_unit_test(a_name_may_be_that_of_a_lock_of_user_space),
		cmocka_unit_test(a_part_of_any_name_in_the_stack_will_do),
		cmocka_unit_test(cgroups_are_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
