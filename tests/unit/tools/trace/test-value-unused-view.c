/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace-values.h"

static void the_mode_is_shown_if_a_file_is_made(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "openat", -100ul, 0x1000, 0x80000, 0640);
	assert_args(&m, &named, "dfd: CWD, filename: 0x1000, flags: RDONLY|CLOEXEC");
	MADE(&m, "open", 0x1000, 0x42, 0640);
	assert_args(&m, &named, "filename: 0x1000, flags: RDWR|CREAT, mode: IRUSR|IWUSR|IRGRP");
}

static void anonymous_memory_has_no_file(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "mmap", 0, 1, 0, 0x22, 7, 5);
	assert_args(&m, &named, "len: 1, prot: NONE, flags: PRIVATE|ANONYMOUS");
	MADE(&m, "mmap", 0, 1, 1, 2, 7, 0x2000);
	assert_args(&m, &named, "len: 1, prot: READ, flags: PRIVATE, fd: 7, off: 0x2000");
}

static void operations_of_futex_look_at_some_arguments(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "futex", 0x1000, 0x81, 1, 0x2000, 0x3000, 7);
	assert_args(&m, &named, "uaddr: 0x1000, op: WAKE|PRIVATE_FLAG, val: 1");
	MADE(&m, "futex", 0x1000, 0x80, 1, 0x2000, 0x3000, 7);
	assert_args(&m, &named, "uaddr: 0x1000, op: WAIT|PRIVATE_FLAG, val: 1, utime: 0x2000");
	MADE(&m, "futex", 0x1000, 0x89, 1, 0x2000, 0x3000, 7);
	assert_args(
		&m, &named,
		"uaddr: 0x1000, op: WAIT_BITSET|PRIVATE_FLAG, val: 1, utime: 0x2000, val3: 0x7");
	MADE(&m, "futex", 0x1000, 0x7f, 1, 0x2000, 0x3000, 7);
	assert_args(&m, &named,
		    "uaddr: 0x1000, op: 0x7f, val: 1, utime: 0x2000, uaddr2: 0x3000, "
		    "val3: 0x7");
}

static void clone_uses_what_its_flags_ask_for(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "clone", 0x4111, 0x1000, 1, 2, 3);
	assert_args(&m, &named, "clone_flags: VM|VFORK|SIGCHLD, newsp: 0x1000");
	MADE(&m, "clone", 0x80111, 0x1000, 1, 2, 3);
	assert_args(&m, &named, "clone_flags: VM|SETTLS|SIGCHLD, newsp: 0x1000, tls: 0x3");
}

static void questions_of_fcntl_have_no_argument(void **state)
{
	(void)state;
	struct made_call m;

	MADE(&m, "fcntl", 3, 3, 77);
	assert_args(&m, &named, "fd: 3, cmd: GETFL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mode_is_shown_if_a_file_is_made),
		cmocka_unit_test(anonymous_memory_has_no_file),
		cmocka_unit_test(operations_of_futex_look_at_some_arguments),
		cmocka_unit_test(clone_uses_what_its_flags_ask_for),
		cmocka_unit_test(questions_of_fcntl_have_no_argument),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
