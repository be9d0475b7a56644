/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "capture/synth-internal.h"
#include "capture/task-list.h"
#include "kernel/fake-tree.h"
#include "records.h"

static const char maps[] = "1000-2000 r-xp 00000000 fe:00 77     /usr/bin/x\n"
			   "2000-3000 ---p 00001000 fe:00 77     /usr/bin/x\n"
			   "3000-4000 rw-p 00002000 fe:00 77     /usr/bin/x\n"
			   "5000-6000 rwxp 00000000 00:00 0 \n"
			   "7000-8000 r-xs 00003000 00:01 9      /a\\012b\n";

/* Makes process 40 with the thread 41, and its child 50, a kernel thread without maps. */
static void make_tasks(const char *root)
{
	fake_file(root, "proc/40/status", "Name:\tmain\nTgid:\t40\nPPid:\t1\nThreads:\t2\n");
	fake_file(root, "proc/40/maps", maps);
	fake_file(root, "proc/40/ns/", "");
	fake_file(root, "proc/40/task/40/", "");
	fake_file(root, "proc/40/task/41/", "");
	fake_file(root, "proc/41/status", "Name:\tworker\nTgid:\t40\nPPid:\t1\nThreads:\t2\n");
	fake_file(root, "proc/50/status", "Name:\tkid\nTgid:\t50\nPPid:\t40\nThreads:\t1\n");
	fake_file(root, "proc/50/maps", "");
	fake_file(root, "proc/50/ns/", "");
}

static void assert_types(const struct bytes *b, const char *wanted)
{
	char got[64];
	struct record r;
	size_t n = 0;

	for (; record_find(b, NULL, 0, n, &r); n++)
		got[n] = r.header.type == PERF_RECORD_FORK         ? 'F'
			 : r.header.type == PERF_RECORD_COMM       ? 'C'
			 : r.header.type == PERF_RECORD_MMAP2      ? 'M'
			 : r.header.type == PERF_RECORD_NAMESPACES ? 'N'
								   : '?';
	got[n] = '\0';
	assert_string_equal(got, wanted);
}

/*
 * Renames the thread's directory, because /proc shows a thread under its number but does not list
 * it.
 */
static void hide_thread(const char *root)
{
	char from[256], to[256];

	snprintf(from, sizeof(from), "%s/proc/41", root);
	snprintf(to, sizeof(to), "%s/proc/thread", root);
	assert_int_equal(rename(from, to), 0);
}

static void everybody_has_a_fork_a_name_and_maps(void **state)
{
	const struct synth_plan p = { .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	hide_thread(*state); /* the thread has ended since: no record */
	synth_tasks(&p, false, &b);
	assert_types(&b, "FCMMMFC");

	struct record r = record_at(&b, NULL, PERF_RECORD_FORK, 1);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_FORK_EXEC);
	assert_int_equal(r.task.pid, 50);
	assert_int_equal(r.task.tid, 50);
	assert_int_equal(r.task.ppid, 40);
	assert_int_equal(r.task.ptid, 40);
	assert_int_equal(r.task.time, 0);
}

static void maps_are_as_in_proc(void **state)
{
	const struct synth_plan p = { .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	hide_thread(*state);
	synth_tasks(&p, false, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP2, 0);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_USER);
	assert_int_equal(r.mmap.pid, 40);
	assert_int_equal(r.mmap.tid, 40);
	assert_int_equal(r.mmap.addr, 0x1000);
	assert_int_equal(r.mmap.len, 0x1000);
	assert_int_equal(r.mmap.maj, 0xfe);
	assert_int_equal(r.mmap.ino, 77);
	assert_int_equal(r.mmap.prot, PROT_READ | PROT_EXEC);
	assert_int_equal(r.mmap.flags, MAP_PRIVATE);
	assert_string_equal(r.mmap.filename, "/usr/bin/x");
	r = record_at(&b, NULL, PERF_RECORD_MMAP2, 1);
	assert_string_equal(r.mmap.filename, "//anon");
	r = record_at(&b, NULL, PERF_RECORD_MMAP2, 2);
	assert_int_equal(r.mmap.flags, MAP_SHARED);
	assert_string_equal(r.mmap.filename, "/a\nb");
}

static void data_maps_are_those_that_can_be_read(void **state)
{
	const struct synth_plan p = { .root = *state, .data_maps = true };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	hide_thread(*state);
	synth_tasks(&p, false, &b);
	assert_types(&b, "FCMMMMFC");

	struct record r = record_at(&b, NULL, PERF_RECORD_MMAP2, 1);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	assert_int_equal(r.mmap.pgoff, 0x2000);
}

static void a_thread_is_the_child_of_its_process(void **state)
{
	const struct synth_plan p = { .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	synth_tasks(&p, false, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_FORK, 1);
	assert_int_equal(r.task.pid, 40);
	assert_int_equal(r.task.tid, 41);
	assert_int_equal(r.task.ppid, 40);
	assert_int_equal(r.task.ptid, 40);
	r = record_at(&b, NULL, PERF_RECORD_COMM, 1);
	assert_string_equal(r.comm.comm, "worker");
	assert_int_equal(r.comm.pid, 40);
	assert_int_equal(r.comm.tid, 41);
}

static void named_tasks_have_no_fork(void **state)
{
	struct target_task tasks[] = { { .tid = 40 }, { .tid = 41 }, { .tid = 99 } };
	const struct task_list list = { .items = tasks, .n = 3 };
	const struct synth_plan p = { .tasks = &list, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	synth_tasks(&p, false, &b);
	assert_types(&b, "CMMMC");
}

static void a_thread_alone_brings_the_maps_of_its_process(void **state)
{
	struct target_task tasks[] = { { .tid = 41 } };
	const struct task_list list = { .items = tasks, .n = 1 };
	const struct synth_plan p = { .tasks = &list, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	synth_tasks(&p, false, &b);
	assert_types(&b, "CCMMM");
	assert_int_equal(record_at(&b, NULL, PERF_RECORD_COMM, 0).comm.tid, 41);
	assert_int_equal(record_at(&b, NULL, PERF_RECORD_COMM, 1).comm.tid, 40);
}

static void later_on_the_workload_has_maps_and_children(void **state)
{
	struct target_task tasks[] = { { .tid = 40 } };
	const struct task_list list = { .items = tasks, .n = 1 };
	const struct synth_plan p = { .tasks = &list, .workload = 40, .root = *state };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	hide_thread(*state);
	fake_file(*state, "proc/30/status", "Name:\twrap\nTgid:\t30\nPPid:\t50\nThreads:\t1\n");
	fake_file(*state, "proc/60/status", "Name:\tother\nTgid:\t60\nPPid:\t1\nThreads:\t1\n");
	synth_tasks(&p, false, &b);
	assert_int_equal(b.n, 0);
	synth_tasks(&p, true, &b);
	assert_types(&b, "CMMMFCFC");
	assert_int_equal(record_at(&b, NULL, PERF_RECORD_FORK, 0).task.pid, 50);
	assert_int_equal(record_at(&b, NULL, PERF_RECORD_FORK, 1).task.pid, 30);
}

static void namespaces_stand_beside_the_name(void **state)
{
	struct target_task tasks[] = { { .tid = 40 } };
	const struct task_list list = { .items = tasks, .n = 1 };
	struct synth_plan p = { .tasks = &list, .root = *state, .namespaces = true };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	make_tasks(*state);
	hide_thread(*state);
	synth_tasks(&p, false, &b);
	assert_types(&b, "CNMMM");
	assert_int_equal(record_at(&b, NULL, PERF_RECORD_NAMESPACES, 0).namespaces.links.n, 14);
	bytes_done(&b);
	p.tasks = NULL;
	synth_tasks(&p, false, &b);
	assert_types(&b, "FNCMMMFNC");
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(everybody_has_a_fork_a_name_and_maps),
		tree_test(maps_are_as_in_proc),
		tree_test(data_maps_are_those_that_can_be_read),
		tree_test(a_thread_is_the_child_of_its_process),
		tree_test(named_tasks_have_no_fork),
		tree_test(a_thread_alone_brings_the_maps_of_its_process),
		tree_test(later_on_the_workload_has_maps_and_children),
		tree_test(namespaces_stand_beside_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
