/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/wait-kind.h"

struct function {
	const char *name;
	bool in_kernel;
};

/* Returns the word for a wait in @state with these functions, the innermost first. */
static const char *word(enum wait_state state, const struct function *f, size_t n)
{
	enum wait_hint hint = WAIT_HINT_NONE;

	for (size_t i = 0; i < n; i++)
		if (!wait_hint_refine(&hint, wait_hint_of(f[i].name, f[i].in_kernel)))
			break;
	return wait_kind_name(wait_kind_of(state, hint));
}

#define WORD(state, ...)                                                                           \
	word(state, (const struct function[]){ __VA_ARGS__ },                                      \
	     ARRAY_SIZE(((const struct function[]){ __VA_ARGS__ })))

static void without_evidence_a_wait_is_called_by_its_state(void **state)
{
	(void)state;
	assert_string_equal(word(WAIT_SLEEPING, NULL, 0), "sleep");
	assert_string_equal(word(WAIT_BLOCKED, NULL, 0), "uninterruptible");
	assert_string_equal(word(WAIT_RUNNABLE, NULL, 0), "runnable");
	assert_string_equal(word(WAIT_FIRST_CPU, NULL, 0), "runnable");
	assert_string_equal(word(WAIT_STOPPED, NULL, 0), "stopped");
	assert_string_equal(word(WAIT_OF_ANY_KIND, NULL, 0), "waiting");
	assert_string_equal(word(WAIT_FROM_BEFORE, NULL, 0), "already waiting");
	assert_string_equal(word(WAIT_RUNNING, NULL, 0), "running");
	assert_string_equal(WORD(WAIT_SLEEPING, { "do_nanosleep", true }), "sleep");
}

static void functions_tell_io_from_locks(void **state)
{
	(void)state;
	assert_string_equal(WORD(WAIT_BLOCKED, { "schedule", true }, { "io_schedule", true }),
			    "I/O");
	assert_string_equal(WORD(WAIT_BLOCKED, { "__mutex_lock.constprop.0", true }), "lock");
	assert_string_equal(WORD(WAIT_BLOCKED, { "down", true }), "lock");
	assert_string_equal(WORD(WAIT_SLEEPING, { "rwsem_down_read_slowpath", true }), "lock");
}

/* A lock of a file system on the way to a disk is a lock. */
static void the_innermost_function_decides(void **state)
{
	(void)state;
	assert_string_equal(WORD(WAIT_BLOCKED, { "rwsem_down_write_slowpath", true },
				 { "vfs_fsync_range", true }),
			    "lock");
	assert_string_equal(WORD(WAIT_BLOCKED, { "io_schedule", true }, { "mutex_lock", true }),
			    "I/O");
}

static void a_futex_is_a_lock_unless_user_space_knows_better(void **state)
{
	(void)state;
	assert_string_equal(WORD(WAIT_SLEEPING, { "futex_wait_queue", true }, { "work", false }),
			    "lock");
	assert_string_equal(WORD(WAIT_SLEEPING, { "futex_wait_queue", true }, { "do_futex", true },
				 { "pthread_cond_wait@@GLIBC_2.17", false }),
			    "sleep");
	assert_string_equal(WORD(WAIT_SLEEPING, { "futex_wait_queue", true },
				 { "__lll_lock_wait", false }, { "pthread_cond_wait", false }),
			    "lock");
}

static void names_count_only_on_their_side_and_as_a_whole(void **state)
{
	(void)state;
	assert_int_equal(wait_hint_of("mutex_lock", false), WAIT_HINT_NONE);
	assert_int_equal(wait_hint_of("pthread_mutex_lock", true), WAIT_HINT_NONE);
	assert_int_equal(wait_hint_of("download", true), WAIT_HINT_NONE);
	assert_int_equal(wait_hint_of("", true), WAIT_HINT_NONE);
}

/* The time for which a thread is ready to run does not depend on its wait before. */
static void functions_do_not_change_what_is_runnable(void **state)
{
	(void)state;
	assert_string_equal(WORD(WAIT_RUNNABLE, { "io_schedule", true }), "runnable");
	assert_string_equal(WORD(WAIT_STOPPED, { "io_schedule", true }), "stopped");
}

static void a_thread_that_was_preempted_waits_for_nothing(void **state)
{
	enum wait_hint hint = WAIT_HINT_NONE;

	(void)state;
	assert_int_equal(wait_hint_of("preempt_schedule_irq", true), WAIT_HINT_PREEMPTED);
	assert_false(wait_hint_refine(&hint, WAIT_HINT_PREEMPTED));
	assert_string_equal(WORD(WAIT_SLEEPING, { "exit_to_user_mode_loop", true }), "sleep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_evidence_a_wait_is_called_by_its_state),
		cmocka_unit_test(functions_tell_io_from_locks),
		cmocka_unit_test(the_innermost_function_decides),
		cmocka_unit_test(a_futex_is_a_lock_unless_user_space_knows_better),
		cmocka_unit_test(names_count_only_on_their_side_and_as_a_whole),
		cmocka_unit_test(functions_do_not_change_what_is_runnable),
		cmocka_unit_test(a_thread_that_was_preempted_waits_for_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
