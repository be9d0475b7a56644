/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "tools/sched/timehist-tasks-model.h"
#include "wire/record.h"

static void take_comm(struct timehist_tasks *t, uint32_t tid, const char *name)
{
	timehist_tasks_take(
		t, &(struct record){ .header.type = PERF_RECORD_COMM, .comm = { tid, tid, name } });
}

static void take_task(struct timehist_tasks *t, uint32_t type, uint32_t tid, uint32_t parent)
{
	timehist_tasks_take(
		t, &(struct record){
			   .header.type = type,
			   .task = { .pid = tid, .tid = tid, .ppid = parent, .ptid = parent } });
}

static void a_child_has_the_name_of_its_parent_until_it_gets_one(void **state)
{
	_cleanup_(timehist_tasks_done) struct timehist_tasks t = { 0 };

	(void)state;
	take_comm(&t, 10, "sh");
	take_task(&t, PERF_RECORD_FORK, 11, 10);
	assert_string_equal(timehist_task_get(&t, 11, 11)->comm, "sh");
	assert_int_equal(timehist_task_get(&t, 11, 11)->ppid, 10);
	take_comm(&t, 11, "ls");
	assert_string_equal(timehist_task_get(&t, 11, 11)->comm, "ls");
	assert_string_equal(timehist_task_get(&t, 10, 10)->comm, "sh");
}

static void a_task_that_ended_is_found_until_its_number_is_used_again(void **state)
{
	_cleanup_(timehist_tasks_done) struct timehist_tasks t = { 0 };
	struct timehist_task *old;

	(void)state;
	old = timehist_task_get(&t, 10, 10);
	take_task(&t, PERF_RECORD_EXIT, 10, 1);
	assert_true(old->has_ended);
	assert_ptr_equal(timehist_task_get(&t, 10, 10), old);
	take_task(&t, PERF_RECORD_FORK, 10, 1);
	assert_ptr_not_equal(timehist_task_get(&t, 10, 10), old);
	assert_true(old->is_replaced);
	assert_false(timehist_task_get(&t, 10, 10)->has_ended);
	assert_int_equal(t.all.n, 3); /* with the parent */
}

static void a_process_becomes_known_unless_the_kernel_denied_it(void **state)
{
	_cleanup_(timehist_tasks_done) struct timehist_tasks t = { 0 };

	(void)state;
	timehist_task_get(&t, TIMEHIST_NO_TASK, 10);
	assert_int_equal(timehist_task_get(&t, 9, 10)->pid, 9);
	timehist_task_get(&t, TIMEHIST_NO_PID, 11);
	assert_int_equal(timehist_task_get(&t, 9, 11)->pid, TIMEHIST_NO_PID);
}

static void a_parent_of_unknown_process_becomes_another_task(void **state)
{
	_cleanup_(timehist_tasks_done) struct timehist_tasks t = { 0 };
	struct timehist_task *seen;

	(void)state;
	seen = timehist_task_get(&t, TIMEHIST_NO_PID, 10);
	take_comm(&t, 10, "sh");
	take_task(&t, PERF_RECORD_FORK, 11, 10);
	assert_true(seen->is_replaced);
	assert_null(timehist_task_get(&t, 11, 11)->comm);
	assert_int_equal(timehist_task_get(&t, 10, 10)->pid, 10);
}

static void each_cpu_has_an_idle_task_within_reason(void **state)
{
	_cleanup_(timehist_tasks_done) struct timehist_tasks t = { 0 };

	(void)state;
	assert_null(timehist_task_find_idle(&t, 3));
	assert_true(timehist_task_idle(&t, 3)->is_idle);
	assert_ptr_equal(timehist_task_idle(&t, 3), timehist_task_find_idle(&t, 3));
	assert_null(timehist_task_find_idle(&t, 2));
	assert_null(timehist_task_idle(&t, CPU_MAX));
	assert_null(timehist_task_idle(&t, UINT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_has_the_name_of_its_parent_until_it_gets_one),
		cmocka_unit_test(a_task_that_ended_is_found_until_its_number_is_used_again),
		cmocka_unit_test(a_process_becomes_known_unless_the_kernel_denied_it),
		cmocka_unit_test(a_parent_of_unknown_process_becomes_another_task),
		cmocka_unit_test(each_cpu_has_an_idle_task_within_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
