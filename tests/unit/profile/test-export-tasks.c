/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/export-tasks.h"

static void assert_comm(const struct export_comm *c, const char *text, uint64_t start, bool is_exec)
{
	assert_string_equal(c->text, text);
	assert_int_equal(c->start, start);
	assert_int_equal(c->is_exec, is_exec);
}

static void a_thread_goes_by_its_number_until_it_is_named(void **state)
{
	_cleanup_(export_tasks_done) struct export_tasks t;
	struct export_thread *th;

	(void)state;
	export_tasks_init(&t);
	assert_null(export_tasks_find(&t, 7));
	th = export_tasks_get(&t, 7, 7);
	th->comm->id = 3;
	assert_comm(th->comm, ":7", 0, false);
	export_tasks_name(&t, 7, 7, "work", 10, false);
	assert_comm(th->comm, "work", 10, false);
	assert_int_equal(th->comm->id, 3); /* its row stays */
	assert_null(th->comm->before);
}

static void the_idle_task_is_known(void **state)
{
	_cleanup_(export_tasks_done) struct export_tasks t;

	(void)state;
	export_tasks_init(&t);
	assert_comm(export_tasks_find(&t, 0)->comm, "swapper", 0, false);
}

static void a_process_goes_by_the_name_of_its_last_exec(void **state)
{
	_cleanup_(export_tasks_done) struct export_tasks t;
	struct export_thread *th;

	(void)state;
	export_tasks_init(&t);
	th = export_tasks_get(&t, 7, 7);
	export_tasks_name(&t, 7, 7, "sh", 10, false);
	export_tasks_name(&t, 7, 7, "ls", 20, true);
	export_tasks_name(&t, 7, 7, "worker", 30, false);
	assert_comm(th->comm, "worker", 30, false);
	assert_comm(export_process_comm(th), "ls", 20, true);
}

static void without_an_exec_it_goes_by_its_first_name(void **state)
{
	_cleanup_(export_tasks_done) struct export_tasks t;

	(void)state;
	export_tasks_init(&t);
	export_tasks_name(&t, 7, 7, "parent", 10, true);
	export_tasks_fork(&t, 8, 8, 7, 7, 15);
	export_tasks_name(&t, 8, 8, "child", 20, false);
	assert_comm(export_process_comm(export_tasks_find(&t, 8)), "parent", 15, false);
	assert_comm(export_tasks_find(&t, 8)->comm, "child", 20, false);
}

static void a_name_of_a_fork_before_the_recording_does_not_count(void **state)
{
	_cleanup_(export_tasks_done) struct export_tasks t;

	(void)state;
	export_tasks_init(&t);
	export_tasks_fork(&t, 2, 2, 0, 0, 0);
	export_tasks_name(&t, 2, 2, "kthreadd", 0, false);
	export_tasks_fork(&t, 3, 3, 2, 2, 0);
	export_tasks_name(&t, 3, 3, "rcu_preempt", 0, false);
	assert_comm(export_process_comm(export_tasks_find(&t, 3)), "rcu_preempt", 0, false);
}

static void a_fork_makes_another_thread_of_the_number(void **state)
{
	_cleanup_(export_tasks_done) struct export_tasks t;
	struct export_thread *old;

	(void)state;
	export_tasks_init(&t);
	export_tasks_name(&t, 8, 8, "old", 10, true);
	old = export_tasks_find(&t, 8);
	export_tasks_fork(&t, 8, 8, 7, 7, 20);
	assert_ptr_not_equal(export_tasks_find(&t, 8), old);
	assert_comm(export_tasks_find(&t, 8)->comm, ":8", 0, false); /* the parent is unknown */
	assert_non_null(export_tasks_find(&t, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_goes_by_its_number_until_it_is_named),
		cmocka_unit_test(the_idle_task_is_known),
		cmocka_unit_test(a_process_goes_by_the_name_of_its_last_exec),
		cmocka_unit_test(without_an_exec_it_goes_by_its_first_name),
		cmocka_unit_test(a_name_of_a_fork_before_the_recording_does_not_count),
		cmocka_unit_test(a_fork_makes_another_thread_of_the_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
