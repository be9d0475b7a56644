/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/tasks-model.h"

#include "trace-values.h"

static void flags_are_names_and_the_rest_in_hex(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "mmap", 0, 8192, 3, 0x22, 0xffffffff, 0);
	assert_args(&m, &named, "len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS");
	MADE(&m, "clone", 0x01200011, 0, 0, 0x1000, 0);
	assert_args(&m, &named,
		    "clone_flags: CHILD_CLEARTID|CHILD_SETTID|SIGCHLD, child_tidptr: 0x1000");
	MADE(&m, "madvise", 0x1000, 1, 4);
	assert_args(&m, &named, "start: 0x1000, len_in: 1, behavior: MADV_DONTNEED");
}

static void a_choice_among_flags_has_one_name(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "socket", 10, 0x80802, 17);
	assert_args(&m, &named, "family: INET6, type: DGRAM|CLOEXEC|NONBLOCK, protocol: UDP");
	MADE(&m, "futex", 0x1000, 0x81, 1);
	assert_args(&m, &named, "uaddr: 0x1000, op: WAKE|PRIVATE_FLAG, val: 1");
}

static void nothing_is_a_name_only_alone(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "mprotect", 0x1000, 1, 8);
	assert_args(&m, &named, "start: 0x1000, len: 1, prot: SEM");
}

static void names_of_one_letter_stand_together(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "access", 0x1000, 7);
	assert_args(&m, &named, "filename: 0x1000, mode: RWX");
}

static void unknown_numbers_stay_numbers(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "clock_gettime", (uint64_t)-6, 0x1000);
	assert_args(&m, &named, "which_clock: -6, tp: 0x1000");
	MADE(&m, "socket", 77, 1, 5);
	assert_args(&m, &named, "family: 77, type: STREAM, protocol: 5");
}

static void signals_have_names(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "kill", 123, 15);
	assert_args(&m, &named, "pid: 123, sig: TERM");
	MADE(&m, "kill", (uint64_t)-123, 33);
	assert_args(&m, &named, "pid: -123, sig: RT_1");
	MADE(&m, "kill", 123, 32);
	assert_args(&m, &named, "pid: 123, sig: RTMIN");
	MADE(&m, "kill", 123, 65);
	assert_args(&m, &named, "pid: 123, sig: 0x41");
	MADE(&m, "kill", 123, 0);
	assert_args(&m, &named, "pid: 123");
}

static void descriptors_and_tasks_have_names(void **state)
{
	(void)state;
	_cleanup_(trace_tasks_freep) struct trace_tasks *tasks = trace_tasks_new(false);
	struct trace_value_style style = { .shows_names = true, .tasks = tasks };
	struct trace_task *task = trace_tasks_named(tasks, 10, 11, "ba\033sh");
	struct made_call m;

	trace_task_opened(tasks, task, 3, "/tmp/a\nb", 1);
	MADE(&m, "close", 3);
	m.call.task = task;
	assert_args(&m, &style, "fd: 3</tmp/a\\nb>");
	style.shows_names = false;
	assert_args(&m, &style, "3");
	style.shows_names = true;
	MADE(&m, "close", 4);
	m.call.task = task;
	assert_args(&m, &style, "fd: 4");
	MADE(&m, "tgkill", 10, 11, 9);
	m.call.task = task;
	assert_args(&m, &style, "tgid: 10, pid: 11 (ba\\x1bsh), sig: KILL");
}

static void a_user_that_is_not_changed_is_minus_one(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "chown", 0x1000, 1000, 0xffffffff);
	assert_args(&m, &named, "filename: 0x1000, user: 1000, group: -1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_are_names_and_the_rest_in_hex),
		cmocka_unit_test(a_choice_among_flags_has_one_name),
		cmocka_unit_test(nothing_is_a_name_only_alone),
		cmocka_unit_test(names_of_one_letter_stand_together),
		cmocka_unit_test(unknown_numbers_stay_numbers),
		cmocka_unit_test(signals_have_names),
		cmocka_unit_test(descriptors_and_tasks_have_names),
		cmocka_unit_test(a_user_that_is_not_changed_is_minus_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
