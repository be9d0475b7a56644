/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"

static int setup(void **state)
{
	*state = trace_tasks_new(false);
	return 0;
}

static int teardown(void **state)
{
	trace_tasks_free(*state);
	return 0;
}

static void a_task_has_no_name_until_it_is_told(void **state)
{
	struct trace_tasks *t = *state;
	struct trace_task *task = trace_tasks_get(t, 5, 6);

	assert_int_equal(task->pid, 5);
	assert_int_equal(task->tid, 6);
	assert_string_equal(task->comm, "");
	assert_null(trace_tasks_comm(t, 6));
	assert_ptr_equal(trace_tasks_named(t, 5, 6, "cat"), task);
	assert_string_equal(task->comm, "cat");
	assert_string_equal(trace_tasks_comm(t, 6), "cat");
	assert_null(trace_tasks_comm(t, 7));
}

static void a_long_name_is_cut(void **state)
{
	struct trace_tasks *t = *state;
	struct trace_task *task = trace_tasks_named(
		t, 5, 5, "0123456789012345678901234567890123456789012345678901234567890123456789");

	assert_string_equal(task->comm,
			    "012345678901234567890123456789012345678901234567890123456789012");
}

static void a_forked_task_is_called_as_its_parent(void **state)
{
	struct trace_tasks *t = *state;

	trace_tasks_named(t, 5, 5, "sh");
	assert_string_equal(trace_tasks_forked(t, 6, 6, 5)->comm, "sh");
	trace_tasks_named(t, 6, 6, "ls");
	assert_string_equal(trace_tasks_comm(t, 5), "sh");
	assert_string_equal(trace_tasks_forked(t, 9, 9, 8)->comm, "");
	assert_string_equal(trace_tasks_forked(t, 5, 5, 5)->comm, "sh");
}

static void threads_share_descriptors_and_processes_do_not(void **state)
{
	struct trace_tasks *t = *state;
	struct trace_task *leader = trace_tasks_named(t, 5, 5, "a");
	struct trace_task *thread = trace_tasks_forked(t, 5, 6, 5), *child, *other;

	trace_task_opened(t, thread, 3, "/three", 1);
	assert_string_equal(trace_task_file(t, leader, 3), "/three");
	child = trace_tasks_forked(t, 7, 7, 6);
	trace_task_opened(t, leader, 3, "/new", 2);
	assert_string_equal(trace_task_file(t, thread, 3), "/new");
	assert_string_equal(trace_task_file(t, child, 3), "/three");
	other = trace_tasks_get(t, 5, 8);
	assert_string_equal(trace_task_file(t, other, 3), "/new");
	assert_null(trace_task_file(t, other, -1));
	assert_null(trace_task_file(t, other, 4));
}

static void a_thread_that_is_seen_before_its_leader_shares_with_it(void **state)
{
	struct trace_tasks *t = *state;
	struct trace_task *thread = trace_tasks_get(t, 5, 6);

	trace_task_opened(t, thread, 3, "/three", 1);
	assert_string_equal(trace_task_file(t, trace_tasks_get(t, 5, 5), 3), "/three");
}

static void the_name_of_a_task_that_has_ended_stays_for_a_while(void **state)
{
	struct trace_tasks *t = *state;

	trace_tasks_ended(t, trace_tasks_named(t, 1, 1, "first"));
	assert_string_equal(trace_tasks_comm(t, 1), "first");
	for (uint32_t i = 2; i <= TRACE_TASKS_ENDED_MAX + 1; i++)
		trace_tasks_ended(t, trace_tasks_named(t, i, i, "x"));
	assert_null(trace_tasks_comm(t, 1));
	assert_string_equal(trace_tasks_comm(t, 2), "x");
}

static void a_pinned_task_stays(void **state)
{
	struct trace_tasks *t = *state;
	struct trace_task *first = trace_tasks_named(t, 1, 1, "first");

	trace_task_pin(first);
	trace_tasks_ended(t, first);
	for (uint32_t i = 2; i <= 3 * TRACE_TASKS_ENDED_MAX; i++)
		trace_tasks_ended(t, trace_tasks_named(t, i, i, "x"));
	assert_string_equal(first->comm, "first");
	assert_ptr_equal(trace_tasks_get(t, 1, 1), first);
	trace_task_unpin(first);
}

static int count(void *arg, struct trace_task *task)
{
	uint32_t *seen = arg;

	assert_true(task->tid > seen[1]);
	seen[0]++;
	seen[1] = task->tid;
	return seen[0] == seen[2];
}

static void all_tasks_come_in_order_and_stay_if_asked_for(void **state)
{
	struct trace_tasks *t = *state;
	uint32_t seen[3] = { 0 };

	trace_tasks_keep_ended(t);
	for (uint32_t i = 3 * TRACE_TASKS_ENDED_MAX; i; i--)
		trace_tasks_ended(t, trace_tasks_named(t, i, i, "x"));
	assert_int_equal(trace_tasks_each(t, count, seen), 0);
	assert_int_equal(seen[0], 3 * TRACE_TASKS_ENDED_MAX);
	assert_int_equal(trace_tasks_each(t, count, (uint32_t[3]){ 0, 0, 5 }), 1);
}

static void a_number_that_is_used_again_is_a_new_task(void **state)
{
	struct trace_tasks *t = *state;
	struct trace_task *task = trace_tasks_named(t, 9, 9, "old");

	trace_task_opened(t, task, 3, "/old", 1);
	trace_tasks_ended(t, task);
	trace_tasks_ended(t, task);
	assert_null(trace_task_file(t, task, 3));
	trace_tasks_named(t, 5, 5, "parent");
	assert_ptr_equal(trace_tasks_forked(t, 9, 9, 5), task);
	assert_false(task->has_ended);
	assert_string_equal(task->comm, "parent");
	assert_null(trace_task_file(t, task, 3));
}

static void what_was_there_before_is_asked_of_proc_once(void **state)
{
	struct trace_tasks *t = trace_tasks_new(true);
	struct trace_task *self = trace_tasks_get(t, (uint32_t)getpid(), (uint32_t)getpid());
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_string_not_equal(self->comm, "");
	assert_string_equal(trace_task_file(t, self, fd), "/dev/null");
	close(fd);
	assert_string_equal(trace_task_file(t, self, fd), "/dev/null");
	assert_null(trace_task_file(t, self, 99999));
	trace_task_opened(t, self, fd, "/told", 1);
	assert_string_equal(trace_task_file(t, self, fd), "/told");
	trace_tasks_free(t);
}

static void with_gaps_an_answer_of_proc_holds_for_a_moment(void **state)
{
	struct trace_tasks *t = trace_tasks_new(true);
	struct trace_task *self = trace_tasks_get(t, (uint32_t)getpid(), (uint32_t)getpid());
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct trace_task *child;

	(void)state;
	trace_tasks_expect_gaps(t);
	trace_task_opened(t, self, 1000, "/told", 1);
	assert_string_equal(trace_task_file(t, self, fd), "/dev/null");
	child = trace_tasks_forked(t, 999999999, 999999999, self->tid);
	assert_null(trace_task_file(t, child, fd));
	assert_string_equal(trace_task_file(t, child, 1000), "/told");
	close(fd);
	usleep(100000);
	assert_null(trace_task_file(t, self, fd));
	assert_string_equal(trace_task_file(t, self, 1000), "/told");
	trace_tasks_free(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_task_has_no_name_until_it_is_told),
		TEST(a_long_name_is_cut),
		TEST(a_forked_task_is_called_as_its_parent),
		TEST(threads_share_descriptors_and_processes_do_not),
		TEST(a_thread_that_is_seen_before_its_leader_shares_with_it),
		TEST(the_name_of_a_task_that_has_ended_stays_for_a_while),
		TEST(a_pinned_task_stays),
		TEST(all_tasks_come_in_order_and_stay_if_asked_for),
		TEST(a_number_that_is_used_again_is_a_new_task),
		cmocka_unit_test(what_was_there_before_is_asked_of_proc_once),
		cmocka_unit_test(with_gaps_an_answer_of_proc_holds_for_a_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
