/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/task-list.h"
#include "capture/task-watch.h"
#include "tasks.h"

static struct task_watch watch_processes(const struct child *c, size_t n)
{
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct task_watch w = TASK_WATCH_NONE;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(task_list_add_process(&l, c[i].pid, &diag), 0);
	assert_int_equal(task_watch_open(&l, &w), 0);
	return w;
}

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void a_process_is_one_and_its_end_is_noticed_before_it_is_reaped(void **state)
{
	(void)state;
	struct child c = child_new(2);
	struct task_watch w = watch_processes(&c, 1);

	assert_int_equal(w.left, 1);
	task_watch_update(&w);
	assert_int_equal(w.left, 1);
	child_end(&c);
	if (!w.blind)
		assert_true(is_readable(w.fd));
	task_watch_update(&w);
	assert_int_equal(w.left, 0);
	assert_false(is_readable(w.fd));
	task_watch_close(&w);
	child_reap(&c);
}

static void it_lasts_until_the_last_of_them_has_ended(void **state)
{
	(void)state;
	struct child c[2] = { child_new(0), child_new(0) };
	struct task_watch w = watch_processes(c, 2);

	assert_int_equal(w.left, 2);
	child_done(&c[1]);
	task_watch_update(&w);
	assert_int_equal(w.left, 1);
	child_done(&c[0]);
	task_watch_update(&w);
	assert_int_equal(w.left, 0);
	task_watch_close(&w);
}

static void one_that_has_gone_before_is_not_left(void **state)
{
	(void)state;
	struct child c = child_new(0);
	struct target_task items[] = { { .tid = c.pid } };
	const struct task_list l = { .items = items, .n = 1 };
	struct task_watch w = TASK_WATCH_NONE;

	child_done(&c);
	assert_int_equal(task_watch_open(&l, &w), 0);
	task_watch_update(&w);
	assert_int_equal(w.left, 0);
	task_watch_close(&w);
}

/* Runs a thread that ends before its process. */
static void *end_when_told(void *arg)
{
	int *fds = arg;
	pid_t tid = gettid();
	char byte;

	if (write(fds[1], &tid, sizeof(tid)) != sizeof(tid))
		return arg;
	return read(fds[2], &byte, 1) == 0 ? NULL : arg;
}

static void a_single_thread_is_watched_too(void **state)
{
	(void)state;
	int fds[4];
	pthread_t thread;
	struct target_task task = { 0 };
	const struct task_list l = { .items = &task, .n = 1 };
	struct task_watch w = TASK_WATCH_NONE;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(pipe2(fds + 2, O_CLOEXEC), 0);
	assert_int_equal(pthread_create(&thread, NULL, end_when_told, fds), 0);
	assert_int_equal(read(fds[0], &task.tid, sizeof(task.tid)), sizeof(task.tid));
	assert_int_equal(task_watch_open(&l, &w), 0);
	assert_int_equal(w.left, 1);
	close(fds[3]);
	pthread_join(thread, NULL);
	/* The kernel wakes the joiner a little before the thread is gone. */
	while (w.left)
		task_watch_update(&w);
	task_watch_close(&w);
	close(fds[0]);
	close(fds[1]);
	close(fds[2]);
}

/* As on kernels before 5.3, or with too many tasks, there is no descriptor for each task. */
static void without_a_descriptor_for_each_it_still_sees_them_end(void **state)
{
	(void)state;
	struct child c = child_new(1);
	_cleanup_(task_list_done) struct task_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct task_watch w = TASK_WATCH_NONE;
	struct rlimit before;
	int next = dup(0);

	assert_int_equal(task_list_add_process(&l, c.pid, &diag), 0);
	close(next);
	getrlimit(RLIMIT_NOFILE, &before);
	/* The limit leaves space for the set, but not for the pidfd. */
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)next + 1, before.rlim_max });
	assert_int_equal(task_watch_open(&l, &w), 0);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(w.left, 1);
	assert_int_equal(w.blind, 1);
	task_watch_update(&w);
	assert_int_equal(w.left, 1);
	child_end(&c);
	task_watch_update(&w);
	assert_int_equal(w.left, 0);
	assert_int_equal(w.blind, 0);
	task_watch_close(&w);
	child_reap(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_one_and_its_end_is_noticed_before_it_is_reaped),
		cmocka_unit_test(it_lasts_until_the_last_of_them_has_ended),
		cmocka_unit_test(one_that_has_gone_before_is_not_left),
		cmocka_unit_test(a_single_thread_is_watched_too),
		cmocka_unit_test(without_a_descriptor_for_each_it_still_sees_them_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
