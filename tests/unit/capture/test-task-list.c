/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/task-list.h"
#include "tasks.h"

/* No process has this: kernel.pid_max is at most 4194304. */
#define NOBODY 2000000000

static const struct target_task *find(const struct task_list *l, pid_t tid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].tid == tid)
			return &l->items[i];
	return NULL;
}

static void a_thread_is_listed_with_its_name(void **state)
{
	(void)state;
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	prctl(PR_SET_NAME, "a (name) of it");
	assert_int_equal(task_list_add(&l, getpid(), &diag), 0);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.items[0].tid, getpid());
	assert_int_equal(l.items[0].process, 0);
	assert_string_equal(l.items[0].comm, "a (name) of it");
}

static void a_process_is_all_its_threads(void **state)
{
	(void)state;
	struct child c = child_new(3);
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(task_list_add_process(&l, c.pid, &diag), 0);
	assert_int_equal(l.n, 4);
	assert_non_null(find(&l, c.pid));
	for (size_t i = 0; i < l.n; i++)
		assert_int_equal(l.items[i].process, c.pid);
	child_done(&c);
}

static void what_is_named_twice_is_listed_once(void **state)
{
	(void)state;
	struct child c = child_new(1);
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(task_list_add_process(&l, c.pid, &diag), 0);
	assert_int_equal(task_list_add_process(&l, c.pid, &diag), 0);
	assert_int_equal(task_list_add(&l, c.pid, &diag), 0);
	assert_int_equal(l.n, 2);
	child_done(&c);
}

static void one_that_is_not_there_is_told(void **state)
{
	(void)state;
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(task_list_add(&l, NOBODY, &diag), -ESRCH);
	assert_string_equal(diag.message, "there is no thread 2000000000");
	assert_int_equal(task_list_add_process(&l, NOBODY, &diag), -ESRCH);
	assert_string_equal(diag.message, "there is no process 2000000000");
	assert_non_null(diag.hint);
	assert_int_equal(l.n, 0);
}

static void a_user_is_all_processes_of_his(void **state)
{
	(void)state;
	struct child c = child_new(1);
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(task_list_add_user(&l, geteuid(), &diag), 0);
	assert_non_null(find(&l, getpid()));
	assert_non_null(find(&l, c.pid));
	assert_true(l.n >= 3);
	child_done(&c);
}

static void a_user_without_a_process_is_told(void **state)
{
	(void)state;
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(task_list_add_user(&l, 3999999999u, &diag), -ESRCH);
	assert_string_equal(diag.message, "user 3999999999 runs no process");
}

static void everybody_includes_us(void **state)
{
	(void)state;
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(task_list_add_all(&l, &diag), 0);
	assert_non_null(find(&l, getpid()));
	assert_int_equal(find(&l, getpid())->process, getpid());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_listed_with_its_name),
		cmocka_unit_test(a_process_is_all_its_threads),
		cmocka_unit_test(what_is_named_twice_is_listed_once),
		cmocka_unit_test(one_that_is_not_there_is_told),
		cmocka_unit_test(a_user_is_all_processes_of_his),
		cmocka_unit_test(a_user_without_a_process_is_told),
		cmocka_unit_test(everybody_includes_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
