/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "cli/config.h"
#include "cli/pager.h"

static int clear_environment(void **state)
{
	(void)state;
	unsetenv("PERF_PAGER");
	unsetenv("PAGER");
	setenv("PATH", "/nonexistent", 1);
	return 0;
}

static void config_of(struct config *c, const char *text)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(config_parse(c, text, strlen(text), "f", &d), 0);
}

static void the_program_is_the_first_that_is_named(void **state)
{
	_cleanup_(config_done) struct config none = { 0 }, core = { 0 };

	(void)state;
	config_of(&core, "[core]\n\tpager = most\n");
	assert_null(pager_choose(&none, "list", true, 0)); /* no less here */
	setenv("PAGER", "more", 1);
	assert_string_equal(pager_choose(&none, "list", true, 0), "more");
	assert_string_equal(pager_choose(&core, "list", true, 0), "most");
	setenv("PERF_PAGER", "lv", 1);
	assert_string_equal(pager_choose(&core, "list", true, 0), "lv");
}

static void cat_and_nothing_are_no_pager(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };

	(void)state;
	setenv("PERF_PAGER", "cat", 1);
	assert_null(pager_choose(&c, "list", true, 0));
	setenv("PERF_PAGER", "", 1);
	assert_null(pager_choose(&c, "list", true, 1));
}

static void the_command_line_goes_before_all(void **state)
{
	_cleanup_(config_done) struct config off = { 0 }, on = { 0 };

	(void)state;
	setenv("PAGER", "more", 1);
	config_of(&off, "[pager]\n\tlist = false\n");
	config_of(&on, "[pager]\n\tlist = true\n");
	assert_null(pager_choose(&on, "list", true, -1));
	assert_string_equal(pager_choose(&off, "list", false, 1), "more");
}

static void a_command_can_be_switched_or_given_its_own(void **state)
{
	_cleanup_(config_done) struct config c = { 0 };

	(void)state;
	setenv("PAGER", "more", 1);
	config_of(&c, "[pager]\n\tlist = off\n\tversion = on\n\tscript = vim -\n");
	assert_null(pager_choose(&c, "list", true, 0));
	assert_string_equal(pager_choose(&c, "version", false, 0), "more");
	assert_string_equal(pager_choose(&c, "script", false, 0), "vim -");
	assert_null(pager_choose(&c, "stat", false, 0));
}

static void what_is_written_reaches_the_program_before_we_go_on(void **state)
{
	char path[] = "/tmp/test-pager-XXXXXX";
	_cleanup_(closep) int fd = mkstemp(path);
	_cleanup_(freep) char *program = xasprintf("/bin/cat >%s; echo $LESS >>%s", path, path);
	_cleanup_(freep) char *text = NULL;
	struct pager p;

	(void)state;
	unsetenv("LESS");
	assert_int_equal(pager_start(program, &p), 0);
	fputs("hello\n", p.out);
	pager_finish(&p);
	assert_int_equal(file_read_fd(fd, 100, &text, NULL), 0);
	assert_string_equal(text, "hello\nFRSX\n");
	unlink(path);
}

static void *write_on(void *arg)
{
	const struct pager *p = arg;

	/* This test is not about SIGPIPE. */
	while (write(fileno(p->out), "x", 1) == 1)
		usleep(1000);
	_exit(errno == EBADF ? 3 : 4);
}

/* Returns the status of a process whose pager runs @program, when signal @number arrives. */
static int status_after(const char *program, int number)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		struct pager p;
		pthread_t thread;

		if (pager_start(program, &p) < 0 || thread_start(&thread, write_on, &p) < 0)
			_exit(2);
		kill(getpid(), number);
		for (;;)
			pause();
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/*
 * Otherwise a file that another thread opens at this moment would get the text that is written to
 * the pager.
 */
static void the_number_of_the_pipe_is_not_free_while_the_pager_ends(void **state)
{
	int status = status_after("exec /bin/sleep 0.3", SIGINT);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
}

static void a_pager_does_not_outlive_sigterm(void **state)
{
	int status = status_after("exec /bin/sleep 1000", SIGTERM);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_program_is_the_first_that_is_named, clear_environment),
		cmocka_unit_test_setup(cat_and_nothing_are_no_pager, clear_environment),
		cmocka_unit_test_setup(the_command_line_goes_before_all, clear_environment),
		cmocka_unit_test_setup(a_command_can_be_switched_or_given_its_own,
				       clear_environment),
		cmocka_unit_test_setup(what_is_written_reaches_the_program_before_we_go_on,
				       clear_environment),
		cmocka_unit_test(the_number_of_the_pipe_is_not_free_while_the_pager_ends),
		cmocka_unit_test(a_pager_does_not_outlive_sigterm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
