/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/process-files.h"
#include "skip.h"

static void this_process_sees_what_we_see(void **state)
{
	(void)state;
	assert_int_not_equal(process_mount_ns(0), 0);
	assert_int_equal(process_mount_ns(getpid()), process_mount_ns(0));
	assert_null(process_path(getpid(), "/etc/passwd"));
}

static void nobody_has_no_files(void **state)
{
	(void)state;
	assert_int_equal(process_mount_ns(INT32_MAX), 0);
	assert_null(process_path(INT32_MAX, "/etc/passwd"));
	assert_null(process_path(-1, "/etc/passwd"));
	assert_null(process_path(0, "/etc/passwd"));
	assert_int_equal(process_inner_pid(INT32_MAX), INT32_MAX);
}

/*
 * Starts a child in namespaces of its own, which waits until its input ends. Returns 0 if that is
 * not allowed.
 */
static pid_t begin_container(int *ret_fd)
{
	int in[2], ready[2];
	char byte = 0;

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(ready), 0);

	pid_t pid = fork();

	if (pid == 0) {
		close(in[1]);
		byte = unshare(CLONE_NEWNS) == 0;
		if (write(ready[1], &byte, 1) == 1 && read(in[0], &byte, 1) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(in[0]);
	close(ready[0]);
	close(ready[1]);
	*ret_fd = in[1];
	return byte ? pid : 0;
}

static void a_container_has_a_root_of_its_own(void **state)
{
	int fd;
	pid_t pid = begin_container(&fd);

	(void)state;
	if (!pid) {
		close(fd);
		skip_because("no process can be started in a name space");
	}

	_cleanup_(freep) char *path = process_path(pid, "/etc/passwd");
	_cleanup_(freep) char *relative = process_path(pid, "[vdso]");
	char expected[64];

	snprintf(expected, sizeof(expected), "/proc/%d/root/etc/passwd", (int)pid);
	close(fd);
	waitpid(pid, NULL, 0);
	assert_string_equal(path, expected);
	assert_null(relative);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_process_sees_what_we_see),
		cmocka_unit_test(nobody_has_no_files),
		cmocka_unit_test(a_container_has_a_root_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
