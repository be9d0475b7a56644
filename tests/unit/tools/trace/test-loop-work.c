/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/id-list.h"
#include "skip.h"
#include "tools/trace/loop-work.h"

static bool has(const struct id_list *l, int pid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i] == pid)
			return true;
	return false;
}

#define FDS_MAX 4096

/* Starts a child that holds only the descriptors @keeps and @keeps_too. */
static pid_t holder(int keeps, int keeps_too)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	for (int fd = 0; fd < FDS_MAX; fd++)
		if (fd != keeps && fd != keeps_too)
			close(fd);
	pause();
	_exit(0);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Repeats the search, because the result is right only after the child has closed its other
 * descriptors.
 */
static void find(const int *fds, size_t n, size_t expected, struct id_list *l)
{
	for (int i = 0; i < 200 && l->n != expected; i++) {
		id_list_done(l);
		trace_loop_find("", fds, n, l);
		if (l->n != expected)
			usleep(10000);
	}
}

static void we_are_always_in_it(void **state)
{
	_cleanup_(id_list_done) struct id_list l = { 0 };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)state;
	trace_loop_find("", &null, 1, &l);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.items[0], getpid());
	close(null);
}

static void readers_of_a_pipe_and_of_what_they_write_are_found(void **state)
{
	_cleanup_(id_list_done) struct id_list l = { 0 };
	int first[2], second[2];
	pid_t reader, next;

	(void)state;
	assert_int_equal(pipe(first), 0);
	assert_int_equal(pipe(second), 0);
	reader = holder(first[0], second[1]);
	next = holder(second[0], -1);
	close(first[0]);
	close(second[0]);
	close(second[1]);
	find(&first[1], 1, 3, &l);
	assert_int_equal(l.n, 3);
	assert_true(has(&l, getpid()));
	assert_true(has(&l, reader));
	assert_true(has(&l, next));
	end(reader);
	end(next);
	close(first[1]);
}

static void who_holds_the_terminal_is_found(void **state)
{
	_cleanup_(id_list_done) struct id_list l = { 0 };
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave = -1;
	pid_t terminal;

	(void)state;
	if (master < 0 || unlockpt(master) < 0)
		skip_because("there are no pseudo-terminals");
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		skip_because("there are no pseudo-terminals");
	terminal = holder(master, -1);
	close(master);
	find(&slave, 1, 2, &l);
	assert_true(has(&l, terminal));
	end(terminal);
	close(slave);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(we_are_always_in_it),
		cmocka_unit_test(readers_of_a_pipe_and_of_what_they_write_are_found),
		cmocka_unit_test(who_holds_the_terminal_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
