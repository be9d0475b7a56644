/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void arguments_have_names_and_zeros_are_left_out(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "read", 3, 0x7f0000001000, 832);
	assert_args(&m, &named, "fd: 3, buf: 0x7f0000001000, count: 832");
	MADE(&m, "read", 0, 0x1000, 0);
	assert_args(&m, &named, "buf: 0x1000");
}

static void zeros_are_shown_on_request_and_without_names(void **state)
{
	(void)state;
	const struct trace_value_style zeros = { .shows_names = true, .shows_zeros = true };
	struct made_call m;

	MADE(&m, "gettimeofday", 0, 0);
	assert_args(&m, &zeros, "tv: NULL, tz: NULL");
	assert_args(&m, &bare, "NULL, NULL");
	MADE(&m, "openat", -100ul, 0x1000, 0, 0);
	assert_args(&m, &bare, "CWD, 0x1000, RDONLY");
}

static void a_zero_with_a_name_of_its_own_is_shown(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "mprotect", 0x1000, 4096, 0);
	assert_args(&m, &named, "start: 0x1000, len: 4096, prot: NONE");
	MADE(&m, "lseek", 3, 5, 0);
	assert_args(&m, &named, "fd: 3, offset: 5, whence: SET");
	MADE(&m, "openat", -100ul, 0x1000, 0);
	assert_args(&m, &named, "dfd: CWD, filename: 0x1000");
	MADE(&m, "socket", 2, 1, 0);
	assert_args(&m, &named, "family: INET, type: STREAM");
}

static void prefixes_are_shown_on_request(void **state)
{
	(void)state;
	const struct trace_value_style prefixed = { .shows_names = true, .shows_prefix = true };
	struct made_call m;

	MADE(&m, "openat", -100ul, 0x1000, 0x80000);
	assert_args(&m, &prefixed, "dfd: AT_FDCWD, filename: 0x1000, flags: O_RDONLY|O_CLOEXEC");
}

static void the_upper_half_of_a_register_is_garbage(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "close", 0xdeadbeef00000003);
	assert_args(&m, &named, "fd: 3");
	MADE(&m, "close", 0xffffffff);
	assert_args(&m, &named, "fd: -1");
}

static void unknown_calls_have_numbered_arguments(void **state)
{
	(void)state;
	struct made_call m = { .call = { .abi = SYSCALL_ABI_X86_64, .nr = 999 } };

	m.call.args[0] = 1;
	m.call.args[1] = (uint64_t)-5;
	m.call.args[3] = 0x7f0000001000;
	assert_args(&m, &named, "arg0: 1, arg1: -5, arg3: 0x7f0000001000");
	assert_args_json(&m, "{\"args\": {\"arg0\": 1, \"arg1\": -5, \"arg2\": 0, \"arg3\": "
			     "\"0x7f0000001000\", \"arg4\": 0, \"arg5\": 0}}");
}

static void one_argument_can_be_had(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct made_call m;

	MADE(&m, "openat", -100ul, 0x1000, 0x80000);
	assert_true(trace_arg_text(&t, &m.call, 2, &named));
	assert_string_equal(t.chars, "RDONLY|CLOEXEC");
	assert_false(trace_arg_text(&t, &m.call, 6, &named));
	m.call.desc = NULL;
	assert_false(trace_arg_text(&t, &m.call, 0, &named));
}

static void json_has_types(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "openat", -100ul, 0x1000, 0x80041, 0644);
	points_to(&m, 1, 0, "/tmp/a\"b", 9, 0);
	assert_args_json(&m, "{\"args\": {\"dfd\": \"AT_FDCWD\", \"filename\": \"/tmp/a\\\"b\", "
			     "\"flags\": [\"O_CLOEXEC\", \"O_CREAT\", \"O_WRONLY\"], "
			     "\"mode\": \"0644\"}}");
	MADE(&m, "read", 3, 0, 832);
	assert_args_json(&m, "{\"args\": {\"fd\": {\"fd\": 3}, \"buf\": null, \"count\": 832}}");
}

static void json_says_that_data_were_cut(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "write", 1, 0x1000, 100);
	points_to(&m, 1, 0, "abc", 3, CALL_DATA_MORE);
	assert_args_json(&m, "{\"args\": {\"fd\": {\"fd\": 1}, \"buf\": \"abc\", \"count\": 100}, "
			     "\"cut\": true}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_have_names_and_zeros_are_left_out),
		cmocka_unit_test(zeros_are_shown_on_request_and_without_names),
		cmocka_unit_test(a_zero_with_a_name_of_its_own_is_shown),
		cmocka_unit_test(prefixes_are_shown_on_request),
		cmocka_unit_test(the_upper_half_of_a_register_is_garbage),
		cmocka_unit_test(unknown_calls_have_numbered_arguments),
		cmocka_unit_test(one_argument_can_be_had),
		cmocka_unit_test(json_has_types),
		cmocka_unit_test(json_says_that_data_were_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
