/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/trace/tasks-model.h"

#include "trace-values.h"

static void failures_have_a_name_and_a_text(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "unlink", 0x1000);
	m.call.result = -2;
	assert_result(&m, "-1 ENOENT (No such file or directory)");
	assert_result_json(&m, "{\"result\": -1, \"errno\": 2, \"error\": \"ENOENT\", "
			       "\"message\": \"No such file or directory\"}");
	m.call.result = -4095;
	assert_result(&m, "-1 (Unknown error)");
	m.call.result = -512;
	assert_result(&m, "-1 ERESTARTSYS (Interrupted, may be restarted)");
}

static void pointers_are_hexadecimal(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "mmap", 0);
	m.call.result = 0x7f0000001000;
	assert_result(&m, "0x7f0000001000");
	assert_result_json(&m, "{\"result\": \"0x7f0000001000\"}");
	m.call.result = -12;
	assert_result(&m, "-1 ENOMEM (Cannot allocate memory)");
	MADE(&m, "brk", 0);
	m.call.result = 0x1000;
	assert_result(&m, "0x1000");
}

static void numbers_are_decimal(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "read", 0);
	m.call.result = 832;
	assert_result(&m, "832");
	assert_result_json(&m, "{\"result\": 832}");
	m.call.desc = NULL;
	m.call.result = -5000;
	assert_result(&m, "-5000");
}

static void a_task_is_returned_with_its_name_and_a_descriptor_with_its_path(void **state)
{
	(void)state;
	_cleanup_(trace_tasks_freep) struct trace_tasks *tasks = trace_tasks_new(false);
	struct trace_value_style style = { .shows_names = true, .tasks = tasks };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct made_call m;
	struct json j;

	MADE(&m, "set_tid_address", 0x1000);
	m.call.task = trace_tasks_named(tasks, 10, 11, "ls");
	m.call.result = 11;
	trace_result_text(&t, &m.call, &style);
	assert_string_equal(t.chars, "11 (ls)");
	text_clear(&t);
	json_line(&j, &t);
	trace_result_json(&j, &m.call, &style);
	json_end(&j, '}');
	assert_string_equal(t.chars, "{\"result\": 11, \"result_comm\": \"ls\"}");
}

static void nothing_polled_is_a_timeout(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "poll", 0);
	assert_result(&m, "0 (Timeout)");
	m.call.result = 1;
	assert_result(&m, "1");
}

static void fcntl_returns_flags(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "fcntl", 1, 3);
	m.call.result = 0x402;
	assert_result(&m, "RDWR|APPEND");
	assert_result_json(&m, "{\"result\": 1026, \"result_flags\": [\"O_RDWR\", \"O_APPEND\"]}");
	MADE(&m, "fcntl", 1, 1);
	m.call.result = 1;
	assert_result(&m, "CLOEXEC");
	MADE(&m, "fcntl", 1, 0, 10);
	m.call.result = 10;
	assert_result(&m, "10");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failures_have_a_name_and_a_text),
		cmocka_unit_test(pointers_are_hexadecimal),
		cmocka_unit_test(numbers_are_decimal),
		cmocka_unit_test(a_task_is_returned_with_its_name_and_a_descriptor_with_its_path),
		cmocka_unit_test(nothing_polled_is_a_timeout),
		cmocka_unit_test(fcntl_returns_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
