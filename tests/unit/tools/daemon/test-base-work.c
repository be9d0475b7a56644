/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/output-file.h"
#include "scratch-folder.h"
#include "tools/daemon/base-work.h"

static void a_folder_that_is_not_there_is_said(void **state)
{
	struct daemon_base b = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(daemon_base_open("nowhere", &b, &diag), -ENOENT);
	assert_string_equal(diag.message, "base 'nowhere' does not exist");
	assert_int_equal(output_file_replace("file", "", 0, 0600), 0);
	assert_int_equal(daemon_base_open("file", &b, &diag), -ENOTDIR);
	assert_int_equal(b.folder, -1);
}

static void a_folder_for_everybody_is_refused(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base b = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(daemon_base_open(".", &b, &diag), 0);
	assert_int_equal(b.path[0], '/');
	assert_int_equal(daemon_base_check(&b, &diag), 0);
	assert_int_equal(chmod(".", 0777), 0);
	assert_int_equal(daemon_base_check(&b, &diag), -EPERM);
	assert_non_null(strstr(diag.message, "everybody may write to base"));
}

static void the_lock_is_there_once(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base b = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *text = NULL, *expected = NULL;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(daemon_base_open(".", &b, &diag), 0);
	assert_int_equal(daemon_base_lock(&b, &diag), 0);
	pid = fork();
	if (pid == 0) {
		struct daemon_base other = DAEMON_BASE_NONE;
		_cleanup_(freep) char *owner = xasprintf("(pid %ld)", (long)getppid());

		if (daemon_base_open(".", &other, &diag) == 0 &&
		    daemon_base_lock(&other, &diag) == -EBUSY && strstr(diag.message, owner))
			_exit(0);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	/* Closing the file ends the lock, so this comes last. */
	assert_int_equal(file_read_line(AT_FDCWD, "lock", &text), 0);
	expected = xasprintf("%ld", (long)getpid());
	assert_string_equal(text, expected);
}

static void a_lock_that_is_a_link_is_not_followed(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base b = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(daemon_base_open(".", &b, &diag), 0);
	assert_int_equal(output_file_replace("victim", "text", 4, 0600), 0);
	assert_int_equal(symlink("victim", "lock"), 0);
	assert_int_equal(daemon_base_lock(&b, &diag), -ELOOP);
	assert_int_equal(unlink("lock"), 0);
	assert_int_equal(link("victim", "lock"), 0);
	assert_int_equal(daemon_base_lock(&b, &diag), -EPERM);
	assert_int_equal(unlink("lock"), 0);
	assert_int_equal(mkfifo("lock", 0600), 0);
	assert_int_equal(daemon_base_lock(&b, &diag), -EPERM);
	assert_int_equal(stat("victim", &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(symlink("victim", "output"), 0);
	assert_int_equal(daemon_open_output(b.folder, "output"), -ELOOP);
}

static void there_is_room(void **state)
{
	_cleanup_(daemon_base_close) struct daemon_base b = DAEMON_BASE_NONE;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(daemon_base_open(".", &b, &diag), 0);
	assert_true(daemon_base_room(&b) > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_folder_that_is_not_there_is_said),
		TEST(a_folder_for_everybody_is_refused),
		TEST(the_lock_is_there_once),
		TEST(a_lock_that_is_a_link_is_not_followed),
		TEST(there_is_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
