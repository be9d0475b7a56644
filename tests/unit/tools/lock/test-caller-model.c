/* SPDX-License-Identifier: MIT */
#include "lock-example.h"

#include "base/arena.h"

static const char *caller_of(const uint64_t *ips, size_t n, size_t skip, struct arena *a)
{
	const struct lock_stack s = { ips, n };
	struct lock_code code;

	lock_code_find(&code, &example_names);
	return lock_stack_caller(&code, &example_names, &s, skip, 0, a);
}

static void functions_of_locks_are_no_callers(void **state)
{
	const uint64_t ips[] = { OUTER, SPIN_LOCK + 4, MUTEX_LOCK, 5, CALLER + 0x84, OUTER };
	_cleanup_(arena_done) struct arena a = { 0 };

	(void)state;
	assert_string_equal(caller_of(ips, 6, 1, &a), "caller+0x84");
	assert_string_equal(caller_of(ips, 6, 0, &a), "outer");
	assert_string_equal(caller_of(ips, 4, 1, &a), "Unknown");
	assert_string_equal(caller_of(ips, 2, 9, &a), "Unknown");
}

static uint64_t key_of(const uint64_t *ips, size_t n)
{
	struct lock_code code;

	lock_code_find(&code, &example_names);
	return lock_stack_key(&code, &(struct lock_stack){ ips, n }, 1);
}

static void only_what_follows_the_lock_tells_stacks_apart(void **state)
{
	const uint64_t spins[] = { OUTER, SPIN_LOCK, CALLER, OUTER };
	const uint64_t sleeps[] = { CALLER, MUTEX_LOCK, CALLER, OUTER };
	const uint64_t others[] = { CALLER, MUTEX_LOCK, CALLER, OUTER + 4 };

	(void)state;
	assert_int_equal(key_of(spins, 4), key_of(sleeps, 4));
	assert_int_not_equal(key_of(others, 4), key_of(sleeps, 4));
	assert_int_equal(key_of(spins, 2), 0);
	assert_true(key_of(spins, 4) <= UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_locks_are_no_callers),
		cmocka_unit_test(only_what_follows_the_lock_tells_stacks_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
