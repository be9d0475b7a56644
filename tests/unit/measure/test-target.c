/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/task-list.h"
#include "measure/target.h"

#define LIST(...)                                                                                  \
	{                                                                                          \
		.items = (int[]){ __VA_ARGS__ }, .n = 1, .room = 0                                 \
	}

/* Returns an allocated list, because the list is freed when it is dropped. */
static struct cpu_list cpu_0(void)
{
	struct cpu_list l = { 0 };

	assert_int_equal(cpu_list_parse("0", &l), 0);
	return l;
}

/* Returns the warning of target_settle(), or "" if there is none. */
static const char *settled(struct target *t)
{
	const char *warning = target_settle(t);

	return warning ? warning : "";
}

static void a_process_beats_cpus_users_and_the_system(void **state)
{
	struct target cpus = { .pids = LIST(1), .cpus = cpu_0() };
	struct target user = { .tids = LIST(1), .user = { true, 0 } };
	struct target system = { .pids = LIST(1), .all_cpus = true };
	struct target both = { .pids = LIST(1), .tids = LIST(2) };

	(void)state;
	assert_string_equal(settled(&cpus), "PID/TID switch overriding CPU");
	assert_int_equal(cpus.cpus.n, 0);
	assert_string_equal(settled(&user), "PID/TID switch overriding UID");
	assert_false(user.user.given);
	assert_string_equal(settled(&system), "PID/TID switch overriding SYSTEM");
	assert_false(system.all_cpus);
	assert_string_equal(settled(&both), "");
}

static void a_user_beats_cpus_and_the_system(void **state)
{
	struct target cpus = { .user = { true, 0 }, .cpus = cpu_0() };
	struct target system = { .user = { true, 0 }, .all_cpus = true };

	(void)state;
	assert_string_equal(settled(&cpus), "UID switch overriding CPU");
	assert_string_equal(settled(&system), "UID switch overriding SYSTEM");
	assert_false(system.all_cpus);
}

static void the_system_beats_per_thread(void **state)
{
	struct target system = { .per_thread = true, .all_cpus = true };
	struct target process = { .per_thread = true, .pids = LIST(1) };

	(void)state;
	assert_string_equal(settled(&system), "SYSTEM/CPU switch overriding PER-THREAD");
	assert_false(system.per_thread);
	assert_string_equal(settled(&process), "");
	assert_true(process.per_thread);
}

static void only_the_first_conflict_is_told(void **state)
{
	struct target t = {
		.user = { true, 0 }, .pids = LIST(1), .cpus = cpu_0(), .all_cpus = true
	};

	(void)state;
	assert_string_equal(settled(&t), "PID/TID switch overriding CPU");
	assert_false(t.all_cpus);
	assert_false(t.user.given);
}

static void without_a_target_and_a_command_it_is_the_system(void **state)
{
	struct target t = { 0 };

	(void)state;
	assert_true(target_is_system(&t, false));
	assert_false(target_is_system(&t, true));
	t.cpus = cpu_0();
	assert_true(target_is_system(&t, true));
	target_done(&t);
}

static void tasks_are_those_of_processes_and_threads(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(task_list_done) struct task_list tasks = { 0 };
	const struct target t = { .pids = LIST(getpid()) };

	(void)state;
	assert_int_equal(target_tasks(&t, &tasks, &diag), 0);
	assert_int_equal(tasks.n, 1);
	assert_int_equal(tasks.items[0].tid, getpid());
}

static void a_thread_that_does_not_exist_is_refused(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(task_list_done) struct task_list tasks = { 0 };
	const struct target t = { .tids = LIST(0x7ffffffe) };

	(void)state;
	assert_int_equal(target_tasks(&t, &tasks, &diag), -ESRCH);
	assert_non_null(diag.message);
}

static void cpus_are_all_or_those_named(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cpu_list_done) struct cpu_list all = { 0 }, one = { 0 };
	_cleanup_(target_done) struct target t = { 0 };

	(void)state;
	assert_int_equal(target_cpus(&t, &all, &diag), 0);
	assert_true(all.n >= 1);
	t.cpus = cpu_0();
	assert_int_equal(target_cpus(&t, &one, &diag), 0);
	assert_int_equal(one.n, 1);
}

static void of_the_cpus_named_those_online_are_taken(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	_cleanup_(target_done) struct target t = { 0 };

	(void)state;
	assert_int_equal(cpu_list_parse("0-65000", &t.cpus), 0);
	assert_int_equal(target_cpus(&t, &cpus, &diag), 0);
	assert_in_range(cpus.n, 1, 65000);
	target_note_cpus(&t, &cpus, &notes);
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "-65000 are not online"));
}

static void a_cpu_that_is_not_online_is_refused(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	_cleanup_(target_done) struct target t = { 0 };

	(void)state;
	assert_int_equal(cpu_list_parse("4095", &t.cpus), 0);
	assert_int_equal(target_cpus(&t, &cpus, &diag), -ENODEV);
	assert_non_null(strstr(diag.hint, "Online CPUs: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_beats_cpus_users_and_the_system),
		cmocka_unit_test(a_user_beats_cpus_and_the_system),
		cmocka_unit_test(the_system_beats_per_thread),
		cmocka_unit_test(only_the_first_conflict_is_told),
		cmocka_unit_test(without_a_target_and_a_command_it_is_the_system),
		cmocka_unit_test(tasks_are_those_of_processes_and_threads),
		cmocka_unit_test(a_thread_that_does_not_exist_is_refused),
		cmocka_unit_test(cpus_are_all_or_those_named),
		cmocka_unit_test(of_the_cpus_named_those_online_are_taken),
		cmocka_unit_test(a_cpu_that_is_not_online_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
