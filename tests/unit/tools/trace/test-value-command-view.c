/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void the_argument_of_fcntl_depends_on_its_command(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "fcntl", 3, 2, 1);
	assert_args(&m, &named, "fd: 3, cmd: SETFD, arg: CLOEXEC");
	MADE(&m, "fcntl", 3, 2, 0);
	assert_args(&m, &named, "fd: 3, cmd: SETFD, arg: 0");
	MADE(&m, "fcntl", 3, 4, 0xc00);
	assert_args(&m, &named, "fd: 3, cmd: SETFL, arg: RDONLY|APPEND|NONBLOCK");
	MADE(&m, "fcntl", 3, 0, 10);
	assert_args(&m, &named, "fd: 3, cmd: DUPFD, arg: 10");
	MADE(&m, "fcntl", 3, 10, 10);
	assert_args(&m, &named, "fd: 3, cmd: SETSIG, arg: USR1");
	MADE(&m, "fcntl", 3, 1024, 1);
	assert_args(&m, &named, "fd: 3, cmd: SETLEASE, arg: WRLCK");
	MADE(&m, "fcntl", 3, 6, 0x7f0000001000);
	assert_args(&m, &named, "fd: 3, cmd: SETLK, arg: 0x7f0000001000");
	points_to(&m, 2, 0, "\1\0\0", 3, 0);
	assert_args(&m, &named, "fd: 3, cmd: SETLK, arg: { .l_type: WRLCK }");
	MADE(&m, "fcntl", 3, 999, 5);
	assert_args(&m, &named, "fd: 3, cmd: 999, arg: 5");
}

static void the_arguments_of_prctl_depend_on_its_option(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "prctl", 1, 9);
	assert_args(&m, &named, "option: SET_PDEATHSIG, arg2: KILL");
	MADE(&m, "prctl", 15, 0x7f0000001000);
	assert_args(&m, &named, "option: SET_NAME, arg2: 0x7f0000001000");
	points_to(&m, 1, 0, "worker", 7, 0);
	assert_args(&m, &named, "option: SET_NAME, arg2: \"worker\"");
	MADE(&m, "prctl", 22, 2, 4096);
	assert_args(&m, &named, "option: SET_SECCOMP, arg2: FILTER, arg3: 4096");
	MADE(&m, "prctl", 9999, 0x7f0000001000, 3);
	assert_args(&m, &named, "option: 9999, arg2: 0x7f0000001000, arg3: 3");
}

static void an_ioctl_without_a_name_shows_its_parts(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "ioctl", 1, 0xc004ff01, 0x1000);
	assert_args(&m, &named, "fd: 1, cmd: (READ|WRITE, 0xff, 0x01, 0x4), arg: 0x1000");
	assert_args_json(&m, "{\"args\": {\"fd\": {\"fd\": 1}, \"cmd\": \"0xc004ff01\", "
			     "\"arg\": \"0x1000\"}}");
}

static void protocols_and_options_depend_on_the_socket(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "socket", 1, 1, 6);
	assert_args(&m, &named, "family: UNIX, type: STREAM, protocol: 6");
	MADE(&m, "socket", 16, 3, 9);
	assert_args(&m, &named, "family: NETLINK, type: RAW, protocol: AUDIT");
	MADE(&m, "setsockopt", 3, 6, 1, 0x1000, 4);
	points_to(&m, 3, 0, "\1\0\0", 4, 0);
	assert_args(&m, &named, "fd: 3, level: TCP, optname: NODELAY, optval: [1], optlen: 4");
	MADE(&m, "setsockopt", 3, 1, 2, 0, 0);
	assert_args(&m, &named, "fd: 3, level: SOCKET, optname: REUSEADDR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_argument_of_fcntl_depends_on_its_command),
		cmocka_unit_test(the_arguments_of_prctl_depend_on_its_option),
		cmocka_unit_test(an_ioctl_without_a_name_shows_its_parts),
		cmocka_unit_test(protocols_and_options_depend_on_the_socket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
