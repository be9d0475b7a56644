/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fake-tree.h"
#include "kernel/proc-task.h"

static const char leader[] = "Name:\tserver\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t40\n"
			     "Ngid:\t0\nPid:\t40\nPPid:\t1\nThreads:\t2\n";

static void a_task_is_known_by_its_status(void **state)
{
	_cleanup_(proc_done) struct proc p;
	struct proc_task t;

	fake_file(*state, "proc/40/status", leader);
	fake_file(*state, "proc/41/status", "Name:\tworker\nTgid:\t40\nPPid:\t1\nThreads:\t2\n");
	proc_init(&p, *state);
	assert_int_equal(proc_task_read(&p, 40, &t), 0);
	assert_int_equal(t.tgid, 40);
	assert_int_equal(t.ppid, 1);
	assert_int_equal(t.n_threads, 2);
	assert_string_equal(t.comm, "server");
	assert_int_equal(proc_task_read(&p, 41, &t), 0);
	assert_int_equal(t.tgid, 40);
}

static void a_name_is_unescaped_and_cut(void **state)
{
	_cleanup_(proc_done) struct proc p;
	struct proc_task t;

	fake_file(*state, "proc/7/status", "Name:\ta\\nb\\\\c\nTgid:\t7\nPPid:\t2\n");
	fake_file(*state, "proc/8/status",
		  "Name:\tkworker/0:0H-events_highpri\nTgid:\t8\nPPid:\t2\n");
	proc_init(&p, *state);
	assert_int_equal(proc_task_read(&p, 7, &t), 0);
	assert_string_equal(t.comm, "a\nb\\c");
	assert_int_equal(t.n_threads, 0);
	assert_int_equal(proc_task_read(&p, 8, &t), 0);
	assert_string_equal(t.comm, "kworker/0:0H-ev");
}

static void a_task_that_is_gone_is_an_error(void **state)
{
	_cleanup_(proc_done) struct proc p;
	const char *text;
	size_t length;
	struct proc_task t;

	fake_file(*state, "proc/9/status", "Name:\tx\n");
	proc_init(&p, *state);
	assert_int_equal(proc_task_read(&p, 1, &t), -ENOENT);
	assert_int_equal(proc_task_read(&p, 9, &t), -EBADMSG);
	assert_int_equal(proc_maps_read(&p, 1, &text, &length), -ENOENT);
}

static void processes_are_the_numbers_in_order(void **state)
{
	_cleanup_(proc_ids_done) struct proc_ids ids = { 0 };
	_cleanup_(proc_done) struct proc p;

	fake_file(*state, "proc/40/status", leader);
	fake_file(*state, "proc/7/status", leader);
	fake_file(*state, "proc/self/status", leader);
	fake_file(*state, "proc/99999999999/status", leader);
	fake_file(*state, "proc/meminfo", "");
	proc_init(&p, *state);
	assert_int_equal(proc_processes(&p, &ids), 0);
	assert_int_equal(ids.n, 2);
	assert_int_equal(ids.items[0], 7);
	assert_int_equal(ids.items[1], 40);
}

static void threads_are_in_the_task_directory(void **state)
{
	_cleanup_(proc_ids_done) struct proc_ids ids = { 0 };
	_cleanup_(proc_done) struct proc p;

	fake_file(*state, "proc/40/task/41/", "");
	fake_file(*state, "proc/40/task/40/", "");
	proc_init(&p, *state);
	assert_int_equal(proc_threads(&p, 40, &ids), 0);
	assert_int_equal(ids.n, 2);
	assert_int_equal(ids.items[0], 40);
	assert_int_equal(proc_threads(&p, 41, &ids), -ENOENT);
	assert_int_equal(ids.n, 2);
}

static void maps_end_with_a_whole_line(void **state)
{
	_cleanup_(proc_done) struct proc p;
	const char *text;
	size_t length;

	fake_file(*state, "proc/40/maps", "one\ntwo\nthr");
	proc_init(&p, *state);
	assert_int_equal(proc_maps_read(&p, 40, &text, &length), 0);
	assert_int_equal(length, 8);
	assert_memory_equal(text, "one\ntwo\n", 8);
}

static void our_own_namespaces_are_told(void **state)
{
	struct proc_namespace n[PROC_NAMESPACES];
	_cleanup_(proc_done) struct proc p;
	struct stat st;

	(void)state;
	proc_init(&p, "");
	assert_int_equal(proc_namespaces_read(&p, getpid(), n), 0);
	assert_int_equal(stat("/proc/self/ns/mnt", &st), 0);
	assert_int_equal(n[5].ino, st.st_ino);
	assert_int_equal(n[5].dev, st.st_dev);
}

static void a_machine_without_proc_has_no_tasks(void **state)
{
	_cleanup_(proc_ids_done) struct proc_ids ids = { 0 };
	_cleanup_(proc_done) struct proc p;

	proc_init(&p, *state);
	assert_true(proc_processes(&p, &ids) < 0);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

static void a_process_that_was_reaped_is_gone(void **state)
{
	pid_t child = fork();

	(void)state;
	if (!child)
		_exit(0);
	assert_false(proc_task_is_gone((uint32_t)child));
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(proc_task_is_gone((uint32_t)child));
	assert_false(proc_task_is_gone((uint32_t)getpid()));
	assert_false(proc_task_is_gone(0));
	assert_false(proc_task_is_gone(UINT32_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_was_reaped_is_gone),
		tree_test(a_task_is_known_by_its_status),
		tree_test(a_name_is_unescaped_and_cut),
		tree_test(a_task_that_is_gone_is_an_error),
		tree_test(processes_are_the_numbers_in_order),
		tree_test(threads_are_in_the_task_directory),
		tree_test(maps_end_with_a_whole_line),
		cmocka_unit_test(our_own_namespaces_are_told),
		tree_test(a_machine_without_proc_has_no_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
