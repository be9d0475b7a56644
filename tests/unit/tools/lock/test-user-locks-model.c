/* SPDX-License-Identifier: MIT */
#include "example-user-locks.h"

#include <linux/futex.h>

#include "tools/lock/type-model.h"
#include "tools/lock/user-locks-model.h"
#include "config.h"

static const char *name_at(struct user_locks *u, uint64_t addr)
{
	struct lock_symbol sym = { 0 };

	return user_locks_symbol(u, EXAMPLE_PID, addr, &sym) ? sym.name : "-";
}

static void variables_functions_and_mappings_have_names(void **state)
{
	struct example_locks e;
	struct user_locks *u;
	struct lock_symbol sym;

	example_locks_begin(&e, *state);
	example_locks_read(&e);
	u = user_locks_new(e.session);
	assert_string_equal(name_at(u, EXAMPLE_LOCK), "hot_lock");
	assert_string_equal(name_at(u, EXAMPLE_LOCK + 0x10), "hot_lock+0x10");
	assert_string_equal(name_at(u, HEAP_AT + 0x2a0), "[heap]+0x2a0");
	assert_string_equal(name_at(u, 0x1234), "-");
	assert_true(user_locks_symbol(u, EXAMPLE_PID, WORK, &sym));
	assert_string_equal(sym.name, "work");
	assert_int_equal(sym.offset, 4);
	assert_false(user_locks_symbol(u, 77, EXAMPLE_LOCK, &sym));
	user_locks_free(u);
	example_locks_end(&e);
}

static struct user_wait wait_of(struct user_locks *u, uint32_t op, uint32_t value,
				const uint64_t *stack, size_t n)
{
	return user_locks_wait(u, &(struct futex_wait){ .pid = EXAMPLE_PID,
							.op = op,
							.value = value,
							.stack = stack,
							.n_stack = n });
}

static void the_stack_tells_locks_from_conditions(void **state)
{
	const uint64_t mutex[] = { LIBC_INSIDE, MUTEX_LOCK, WORK };
	const uint64_t condition[] = { LIBC_INSIDE, COND_WAIT, WORK };
	const uint64_t unknown[] = { WORK };
	struct example_locks e;
	struct user_locks *u;
	struct user_wait w;

	example_locks_begin(&e, *state);
	example_locks_read(&e);
	u = user_locks_new(e.session);
	w = wait_of(u, FUTEX_WAIT, 2, mutex, 3);
	assert_int_equal(w.flags, LOCK_USER);
	assert_int_equal(w.skip, 2);
	w = wait_of(u, FUTEX_WAIT_BITSET, 0, condition, 3);
	assert_int_equal(w.flags, LOCK_USER | LOCK_CONDITION);
	assert_int_equal(w.skip, 2);
	/* The thread takes its mutex again. */
	assert_int_equal(wait_of(u, FUTEX_WAIT, 2, condition, 3).flags, LOCK_USER);
	assert_int_equal(wait_of(u, FUTEX_LOCK_PI, 0, mutex, 3).flags, LOCK_USER | LOCK_RT);
	assert_int_equal(wait_of(u, FUTEX_WAIT_REQUEUE_PI, 0, mutex, 3).flags,
			 LOCK_USER | LOCK_CONDITION);
	w = wait_of(u, FUTEX_WAIT, 0, unknown, 1);
	assert_int_equal(w.flags, LOCK_USER);
	assert_int_equal(w.skip, 0);
	/*
	 * All frames are in libc: none of them is the one that wants the lock, so none is skipped.
	 */
	assert_int_equal(wait_of(u, FUTEX_WAIT, 2, mutex, 2).skip, 0);
	assert_int_equal(wait_of(u, FUTEX_WAIT, 2, NULL, 0).skip, 0);
	user_locks_free(u);
	example_locks_end(&e);
}

static void without_frame_pointers_in_libc_the_operation_tells(void **state)
{
	const uint64_t inside[] = { LIBC_INSIDE, WORK };
	const uint64_t syscall[] = { SYSCALL, WORK };
	const uint64_t program[] = { WORK };
	struct example_locks e;
	struct user_locks *u;

	example_locks_begin(&e, *state);
	example_locks_read(&e);
	u = user_locks_new(e.session);
	/* Waits for a condition or a semaphore, and for the end of a thread. */
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 0, inside, 2).flags,
			 LOCK_USER | LOCK_CONDITION);
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 30913, inside, 1).flags,
			 LOCK_USER | LOCK_CONDITION);
	/* Mutexes, with a time and without, and locks of readers and writers. */
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 2, inside, 2).flags, LOCK_USER);
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 3, inside, 2).flags, LOCK_USER);
	assert_int_equal(wait_of(u, FUTEX_WAIT, 2, inside, 2).flags, LOCK_USER);
	assert_int_equal(wait_of(u, FUTEX_WAIT, 0, inside, 2).flags, LOCK_USER);
	/* Other libraries use their own values. */
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 0, syscall, 2).flags, LOCK_USER);
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 0, program, 1).flags, LOCK_USER);
	assert_int_equal(wait_of(u, FUTEX_WAIT_BITSET, 0, NULL, 0).flags, LOCK_USER);
	user_locks_free(u);
	example_locks_end(&e);
}

static void calls_that_wake_do_not_wait(void **state)
{
	(void)state;
	assert_true(futex_op_waits(FUTEX_WAIT_PRIVATE));
	assert_true(futex_op_waits(FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME));
	assert_true(futex_op_waits(FUTEX_LOCK_PI2));
	assert_false(futex_op_waits(FUTEX_WAKE_PRIVATE));
	assert_false(futex_op_waits(FUTEX_CMP_REQUEUE));
	assert_false(futex_op_waits(FUTEX_UNLOCK_PI));
	assert_false(futex_op_waits(UINT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(variables_functions_and_mappings_have_names,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(the_stack_tells_locks_from_conditions, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(without_frame_pointers_in_libc_the_operation_tells,
						scratch_make, scratch_remove),
		cmocka_unit_test(calls_that_wake_do_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
