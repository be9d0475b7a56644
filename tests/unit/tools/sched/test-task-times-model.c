/* SPDX-License-Identifier: MIT */
#include "sched-story.h"

#include <stdlib.h>

#include "tools/sched/task-times-model.h"
#include "base/cleanup.h"

static void take(struct task_times *t, struct sched_event e)
{
	task_times_take(t, &e);
}

static void delays_sleeps_and_runs_are_told_apart(void **state)
{
	_cleanup_(task_times_done) struct task_times t = { 0 };
	_cleanup_(freep) const struct timed_task **tasks = NULL;
	size_t n;

	(void)state;
	take(&t, story_switch(10, 0, 7, 1, 8)); /* it is not known since when 7 ran */
	take(&t, story_event(SCHED_WAKING, 30, 0, 8, 7));
	take(&t, story_event(SCHED_WAKEUP, 31, 0, 8, 7)); /* the same one */
	take(&t, story_switch(40, 0, 8, 0, 7));           /* 8 is preempted */
	take(&t, story_switch(100, 0, 7, 1, 8));
	tasks = task_times_sorted(&t, &n);
	assert_int_equal(n, 2);
	assert_int_equal(tasks[0]->tid, 8);
	assert_int_equal(tasks[0]->times[TASK_DELAY].sum_ns, 60 * US);
	assert_int_equal(tasks[0]->times[TASK_RUN].sum_ns, 30 * US);
	assert_int_equal(tasks[1]->times[TASK_DELAY].sum_ns, 10 * US);
	assert_int_equal(tasks[1]->times[TASK_SLEEP].sum_ns, 20 * US);
	assert_int_equal(tasks[1]->times[TASK_RUN].sum_ns, 60 * US);
	assert_int_equal(t.unmatched, 2);
}

static void a_number_that_is_used_again_is_another_task(void **state)
{
	_cleanup_(task_times_done) struct task_times t = { 0 };

	(void)state;
	take(&t, story_switch(10, 0, 7, 1, 8));
	task_times_forget(&t, 7);
	take(&t, story_event(SCHED_WAKEUP_NEW, 5000, 0, 8, 7));
	take(&t, story_switch(5001, 0, 8, 1, 7));
	assert_int_equal(t.tasks.n, 3);
	assert_int_equal(t.tasks.items[2]->times[TASK_SLEEP].n, 0);
	assert_int_equal(t.tasks.items[2]->times[TASK_DELAY].sum_ns, US);
}

static void times_that_run_backwards_do_not_count(void **state)
{
	_cleanup_(task_times_done) struct task_times t = { 0 };

	(void)state;
	take(&t, story_switch(100, 0, 8, 1, 7));
	take(&t, story_switch(50, 0, 7, 1, 8));
	assert_int_equal(t.tasks.items[1]->times[TASK_RUN].n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delays_sleeps_and_runs_are_told_apart),
		cmocka_unit_test(a_number_that_is_used_again_is_another_task),
		cmocka_unit_test(times_that_run_backwards_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
