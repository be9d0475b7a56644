/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "scratch-folder.h"
#include "tools/daemon/base-work.h"

static void lines_have_a_time_and_no_control_characters(void **state)
{
	_cleanup_(closep) int fd = daemon_open_output(AT_FDCWD, "output");
	const struct daemon_log log = { fd };
	_cleanup_(freep) char *text = NULL;

	(void)state;
	daemon_log_add(&log, "session '%s' \033[2J", "x");
	assert_int_equal(file_read(AT_FDCWD, "output", 1000, &text, NULL), 0);
	assert_int_equal(text[0], '[');
	assert_string_equal(strchr(text, ']'), "] session 'x' \\x1b[2J\n");
}

static void a_mistake_is_marked(void **state)
{
	_cleanup_(closep) int fd = daemon_open_output(AT_FDCWD, "output");
	const struct daemon_log log = { fd };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *text = NULL;

	(void)state;
	diag_mark(&diag, -1, "abc", 2, 1, "no");
	diag_hint(&diag, "Do.");
	daemon_log_diag(&log, "why: ", &diag);
	assert_int_equal(file_read(AT_FDCWD, "output", 1000, &text, NULL), 0);
	assert_non_null(strstr(text, "] why: no\n"));
	assert_non_null(strstr(text, "]   abc\n"));
	assert_non_null(strstr(text, "]     ^\n"));
	assert_non_null(strstr(text, "] Do.\n"));
}

/* The pipe is full until it is read. */
static void a_line_that_cannot_be_written_is_lost_and_the_next_is_whole(void **state)
{
	char text[4096];
	int pipe[2];

	(void)state;
	assert_int_equal(pipe2(pipe, O_NONBLOCK), 0);
	while (write(pipe[1], text, sizeof(text)) > 0)
		;
	daemon_log_add(&(struct daemon_log){ pipe[1] }, "lost");
	while (read(pipe[0], text, sizeof(text)) > 0)
		;
	daemon_log_add(&(struct daemon_log){ pipe[1] }, "found");

	ssize_t n = read(pipe[0], text, sizeof(text) - 1);

	assert_true(n > 0);
	text[n] = '\0';
	assert_int_equal(text[0], '[');
	assert_string_equal(strchr(text, ']'), "] found\n");
	close(pipe[0]);
	close(pipe[1]);
}

static void a_long_log_keeps_its_last_lines(void **state)
{
	_cleanup_(closep) int fd = daemon_open_output(AT_FDCWD, "output");
	_cleanup_(freep) char *line = xcalloc(1, 1001);
	struct stat st;

	(void)state;
	memset(line, 'x', 999);
	line[999] = '\n';
	for (int i = 0; i < DAEMON_LOG_MAX / 1000; i++)
		assert_int_equal(file_write(fd, line, 1000), 0);
	daemon_trim_output(AT_FDCWD, "output");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, DAEMON_LOG_MAX / 1000 * 1000);
	assert_int_equal(file_write(fd, line, 1000), 0);
	daemon_trim_output(AT_FDCWD, "output");
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(st.st_size <= DAEMON_LOG_MAX / 2 && st.st_size > DAEMON_LOG_MAX / 2 - 1000);
	assert_int_equal(st.st_size % 1000, 0);
	daemon_trim_output(AT_FDCWD, "nowhere");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_have_a_time_and_no_control_characters),
		TEST(a_mistake_is_marked),
		TEST(a_line_that_cannot_be_written_is_lost_and_the_next_is_whole),
		TEST(a_long_log_keeps_its_last_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
