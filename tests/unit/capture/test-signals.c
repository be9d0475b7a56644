/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/signals.h"

static int open_signals(void **state)
{
	static struct signals s;

	*state = &s;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	return signals_open(&s);
}

static int close_signals(void **state)
{
	signals_close(*state);
	return 0;
}

static void a_signal_is_taken_once(void **state)
{
	bool sent = false;

	assert_int_equal(signals_take(*state, &sent), 0);
	raise(SIGINT);
	assert_int_equal(signals_take(*state, &sent), SIGINT);
	assert_true(sent);
	assert_int_equal(signals_take(*state, &sent), 0);
}

static void the_descriptor_is_readable_when_one_has_come(void **state)
{
	struct signals *s = *state;
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	bool sent;

	assert_int_equal(poll(&p, 1, 0), 0);
	raise(SIGTERM);
	assert_int_equal(poll(&p, 1, 0), 1);
	assert_int_equal(signals_take(s, &sent), SIGTERM);
}

/* In a script's `perf stat & ... kill -INT $!`, the shell made the job ignore the signal. */
static void sigint_is_heard_even_if_it_was_ignored(void **state)
{
	struct signals *s = *state;
	bool sent;

	signals_close(s);
	signal(SIGINT, SIG_IGN);
	assert_int_equal(signals_open(s), 0);
	raise(SIGINT);
	assert_int_equal(signals_take(s, &sent), SIGINT);
	signal(SIGINT, SIG_DFL);
}

static void nohup_is_obeyed(void **state)
{
	struct signals *s = *state;
	bool sent;

	signals_close(s);
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(signals_open(s), 0);
	raise(SIGHUP);
	assert_int_equal(signals_take(s, &sent), 0);
	signal(SIGHUP, SIG_DFL);
}

static void the_status_of_a_child_is_kept_even_if_sigchld_was_ignored(void **state)
{
	struct signals *s = *state;
	int status;

	signals_close(s);
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(signals_open(s), 0);

	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 3);
	signals_close(s);

	struct sigaction now;

	sigaction(SIGCHLD, NULL, &now);
	assert_ptr_equal(now.sa_handler, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

static void closing_brings_back_the_mask(void **state)
{
	struct signals *s = *state;
	sigset_t now;

	sigprocmask(SIG_BLOCK, NULL, &now);
	assert_true(sigismember(&now, SIGINT));
	signals_close(s);
	sigprocmask(SIG_BLOCK, NULL, &now);
	assert_false(sigismember(&now, SIGINT));
	assert_false(sigismember(&now, SIGCHLD));
	assert_int_equal(s->fd, -1);
	signals_close(s);
}

static void nobody_dies_of_a_broken_pipe_at_the_end(void **state)
{
	struct signals *s = *state;

	signals_close(s);
	assert_int_equal(signals_open_for_recording(s), 0);
	raise(SIGPIPE);
	signals_close(s);
	assert_int_equal(s->fd, -1);
}

#define with_signals(test) cmocka_unit_test_setup_teardown(test, open_signals, close_signals)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_signals(a_signal_is_taken_once),
		with_signals(the_descriptor_is_readable_when_one_has_come),
		with_signals(sigint_is_heard_even_if_it_was_ignored),
		with_signals(nohup_is_obeyed),
		with_signals(the_status_of_a_child_is_kept_even_if_sigchld_was_ignored),
		with_signals(closing_brings_back_the_mask),
		with_signals(nobody_dies_of_a_broken_pipe_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
