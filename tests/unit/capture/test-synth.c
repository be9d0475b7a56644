/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "capture/recorded-event.h"
#include "capture/synth.h"
#include "capture/task-list.h"
#include "kernel/fake-tree.h"
#include "records.h"

static const struct attr attr = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_IDENTIFIER,
	.sample_id_all = 1,
};

static struct task_list one_task(struct target_task *task, pid_t tid)
{
	*task = (struct target_task){ .tid = tid };
	return (struct task_list){ .items = task, .n = 1, .room = 1 };
}

static void the_prologue_is_in_the_order_that_readers_know(void **state)
{
	static const uint32_t wanted[] = {
		PERF_RECORD_TIME_CONV,  PERF_RECORD_ID_INDEX, PERF_RECORD_MMAP,
		PERF_RECORD_THREAD_MAP, PERF_RECORD_CPU_MAP,  PERF_RECORD_COMM,
		PERF_RECORD_MMAP2,      PERF_RECORD_COMM,     PERF_RECORD_FINISHED_INIT,
	};
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct record_time_conv clock = { .time_shift = 22, .is_long = true };
	const struct synth_id id = { .id = 5 };
	const struct recorded_event event = { .attr = attr, .name = "cycles" };
	struct target_task task;
	const struct task_list tasks = one_task(&task, 40);
	const struct synth_plan p = {
		.attr = &attr,
		.time_conv = &clock,
		.ids = &id,
		.n_ids = 1,
		.events = &event,
		.n_events = 1,
		.tasks = &tasks,
		.workload = 50,
		.root = *state,
	};
	struct record r;
	size_t i = 0;

	fake_file(*state, "proc/kallsyms", "ffff800080010000 T _stext\n");
	fake_file(*state, "proc/40/status", "Name:\tx\nTgid:\t40\nPPid:\t1\n");
	fake_file(*state, "proc/40/maps", "1000-2000 r-xp 00000000 00:00 0 [vdso]\n");
	synth_prologue(&p, &b);
	for (size_t at = 0; record_find(&b, &attr, 0, at, &r); at++) {
		/* The test does not know the BPF programs of the running kernel. */
		if (r.header.type == PERF_RECORD_KSYMBOL || r.header.type == PERF_RECORD_BPF_EVENT)
			continue;
		assert_in_range(i, 0, ARRAY_SIZE(wanted) - 1);
		assert_int_equal(r.header.type, wanted[i++]);
		assert_int_equal(r.id.time, 0);
		assert_int_equal(r.id.id, 0);
	}
	assert_int_equal(i, ARRAY_SIZE(wanted));
}

static void the_workload_alone_has_only_its_name(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct target_task task;
	const struct task_list tasks = one_task(&task, 40);
	const struct synth_plan p = {
		.attr = &attr, .tasks = &tasks, .workload = 40, .root = *state
	};

	fake_file(*state, "proc/40/status", "Name:\tperf\nTgid:\t40\nPPid:\t1\n");
	fake_file(*state, "proc/40/maps", "1000-2000 r-xp 00000000 00:00 0 /usr/bin/perf\n");
	synth_prologue(&p, &b);
	assert_int_equal(record_count(&b, &attr, PERF_RECORD_MMAP2), 0);
	assert_int_equal(record_count(&b, &attr, PERF_RECORD_COMM), 1);

	struct record r = record_at(&b, &attr, PERF_RECORD_COMM, 0);
	assert_string_equal(r.comm.comm, "perf-exec");
	assert_int_equal(r.comm.pid, 40);
}

static void lost_samples_name_their_event(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_lost_samples(&attr, 77, 12, &b);

	struct record r = record_at(&b, &attr, PERF_RECORD_LOST_SAMPLES, 0);
	assert_int_equal(r.lost.lost, 12);
	assert_int_equal(r.id.id, 77);
	assert_int_equal(r.id.time, 0);
}

static void state_is_without_the_end_of_the_prologue(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct synth_plan p = { .attr = &attr, .workload = 40, .root = *state };

	synth_state(&p, &b);
	assert_int_equal(record_count(&b, &attr, PERF_RECORD_FINISHED_INIT), 0);
	assert_int_equal(record_count(&b, &attr, PERF_RECORD_COMM), 0);
	assert_int_equal(record_count(&b, &attr, PERF_RECORD_THREAD_MAP), 1);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(the_prologue_is_in_the_order_that_readers_know),
		tree_test(the_workload_alone_has_only_its_name),
		cmocka_unit_test(lost_samples_name_their_event),
		tree_test(state_is_without_the_end_of_the_prologue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
