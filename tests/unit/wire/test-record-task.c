/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void a_name_belongs_to_a_thread(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, "wws", 3, 4, "sh");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.comm.pid, 3);
		assert_int_equal(r.comm.tid, 4);
		assert_string_equal(r.comm.comm, "sh");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 8 + 3, NULL);
	}
}

static void a_fork_tells_who_came_from_whom(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_FORK, 0, "wwwwq",
								1, 2, 3, 4, 5UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.task.pid, 1);
		assert_int_equal(r.task.ppid, 2);
		assert_int_equal(r.task.tid, 3);
		assert_int_equal(r.task.ptid, 4);
		assert_int_equal(r.task.time, 5);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void an_exit_has_the_same_layout(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_EXIT, 0, "wwwwq",
								1, 2, 3, 4, 5UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.task.tid, 3);
		assert_int_equal(r.task.time, 5);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_switch_of_a_cpu_names_the_other_task(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT, "ww", 1, 2);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.context_switch.next_prev_pid, 1);
		assert_int_equal(r.context_switch.next_prev_tid, 2);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void namespaces_are_pairs_of_device_and_inode(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_NAMESPACES, 0, "wwqqqqq", 1, 2, 2UL, 3UL, 4UL, 5UL, 6UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.namespaces.pid, 1);
		assert_int_equal(r.namespaces.tid, 2);
		assert_int_equal(r.namespaces.links.n, 4);
		assert_int_equal(words_get(&r.namespaces.links, 3), 6);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void more_namespaces_than_there_are_is_refused(void **state)
{
	(void)state;
	static const uint64_t counts[] = { 2, 0x8000000000000000, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_NAMESPACES, 0,
								"wwqqq", 1, 2, counts[i], 0UL, 0UL);
		struct record r;

		assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), -EBADMSG);
	}
}

static void a_cgroup_is_a_number_and_a_path(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_CGROUP, 0, "qs",
								77UL, "/system.slice");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.cgroup.id, 77);
		assert_string_equal(r.cgroup.path, "/system.slice");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 8 + 14, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_belongs_to_a_thread),
		cmocka_unit_test(a_fork_tells_who_came_from_whom),
		cmocka_unit_test(an_exit_has_the_same_layout),
		cmocka_unit_test(a_switch_of_a_cpu_names_the_other_task),
		cmocka_unit_test(namespaces_are_pairs_of_device_and_inode),
		cmocka_unit_test(more_namespaces_than_there_are_is_refused),
		cmocka_unit_test(a_cgroup_is_a_number_and_a_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
