/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/signals.h"
#include "capture/workload.h"

static int run_to_end(struct workload *w)
{
	struct rusage usage;
	int status = -1;

	assert_int_equal(workload_reap(w, true, &status, &usage), 1);
	assert_int_equal(w->pid, 0);
	return status;
}

static struct workload shell(const char *script)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	struct workload w = WORKLOAD_NONE;

	assert_int_equal(workload_fork(argv, NULL, &w), 0);
	assert_true(w.pid > 0);
	return w;
}

static void the_program_runs_when_it_is_let_and_not_before(void **state)
{
	(void)state;
	struct workload w = shell("exit 3");
	struct rusage usage;
	int status = 77;

	assert_int_equal(workload_reap(&w, false, &status, &usage), 0);
	assert_int_equal(status, 77);
	assert_false(workload_has_ended(&w));
	assert_int_equal(workload_start(&w), 0);
	assert_int_equal(WEXITSTATUS(run_to_end(&w)), 3);
	workload_done(&w);
}

static void its_output_goes_where_it_is_told_to(void **state)
{
	(void)state;
	char *argv[] = { "sh", "-c", "echo hello", NULL };
	struct workload w = WORKLOAD_NONE;
	char said[16] = "";
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(workload_fork_to(argv, NULL, ends[1], &w), 0);
	close(ends[1]);
	assert_int_equal(workload_start(&w), 0);
	assert_int_equal(read(ends[0], said, sizeof(said) - 1), 6);
	assert_string_equal(said, "hello\n");
	assert_int_equal(run_to_end(&w), 0);
	close(ends[0]);
	workload_done(&w);
}

static void a_program_that_is_not_there_is_told(void **state)
{
	(void)state;
	char *argv[] = { "/no/such/program", NULL };
	struct workload w = WORKLOAD_NONE;

	assert_int_equal(workload_fork(argv, NULL, &w), 0);
	assert_int_equal(workload_start(&w), -ENOENT);
	assert_int_equal(w.pid, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_program_that_may_not_be_run_is_told(void **state)
{
	(void)state;
	char *argv[] = { "/etc/passwd", NULL };
	struct workload w = WORKLOAD_NONE;

	assert_int_equal(workload_fork(argv, NULL, &w), 0);
	assert_int_equal(workload_start(&w), -EACCES);
}

static void a_child_that_was_never_let_go_is_removed(void **state)
{
	(void)state;
	struct workload w = shell("exit 3");

	workload_done(&w);
	assert_int_equal(w.pid, 0);
	assert_int_equal(w.fd, -1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	workload_done(&w);
}

/* The write to the dead child must not kill us with SIGPIPE. */
static void a_child_that_was_killed_before_its_start_is_no_error(void **state)
{
	(void)state;
	struct workload w = shell("exit 3");

	kill(w.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)w.pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	assert_true(workload_has_ended(&w));
	assert_int_equal(workload_start(&w), 0);
	assert_int_equal(WTERMSIG(run_to_end(&w)), SIGKILL);
	workload_done(&w);
}

static void a_child_whose_parent_dies_ends_by_itself(void **state)
{
	(void)state;
	struct workload w = shell("exit 3");

	/* The kernel does the same when we die. */
	close(w.fd);
	w.fd = -1;
	assert_int_equal(WEXITSTATUS(run_to_end(&w)), 0);
}

static void the_program_sees_the_signals_that_were_before(void **state)
{
	(void)state;
	struct signals s = SIGNALS_NONE;
	char *argv[] = { "sh", "-c",
			 "test \"$(grep SigBlk /proc/self/status | tr -d '[:space:]')\" = "
			 "SigBlk:0000000000000000",
			 NULL };
	struct workload w = WORKLOAD_NONE;

	assert_int_equal(signals_open(&s), 0);
	assert_int_equal(workload_fork(argv, &s, &w), 0);
	assert_int_equal(workload_start(&w), 0);
	assert_int_equal(run_to_end(&w), 0);
	signals_close(&s);
}

/*
 * Counts the descriptors that the test itself inherited, and the one with which the shell lists the
 * directory.
 */
static int count_inheritable(void)
{
	int n = 1;

	for (int fd = 0; fd < 4096; fd++) {
		int flags = fcntl(fd, F_GETFD);

		n += flags >= 0 && !(flags & FD_CLOEXEC);
	}
	return n;
}

static void the_program_inherits_no_descriptor_of_ours(void **state)
{
	(void)state;
	_cleanup_(freep) char *script =
		xasprintf("for fd in /proc/$$/fd/*; do n=$((n + 1)); done; test $n -le %d",
			  count_inheritable());
	struct workload w = shell(script);

	assert_int_equal(workload_start(&w), 0);
	assert_int_equal(run_to_end(&w), 0);
}

static void the_cost_is_that_of_the_program(void **state)
{
	(void)state;
	struct workload w = shell("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done");
	struct rusage usage = { 0 };
	int status;

	assert_int_equal(workload_start(&w), 0);
	assert_int_equal(workload_reap(&w, true, &status, &usage), 1);
	assert_true(usage.ru_utime.tv_sec || usage.ru_utime.tv_usec);
}

static void explained(const char *program, int error, const char *expected)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	diag_set(&diag, error, "Workload failed: why");
	workload_explain(program, error, &diag);
	assert_string_equal(diag.message, expected);
}

static void a_program_s_name_tells_why_it_cannot_be_run(void **state)
{
	(void)state;
	explained("x", -ENOENT, "Workload failed: why: no program 'x' along PATH");
	explained("./x", -ENOENT, "Workload failed: why: './x', or what runs it, is missing");
	explained("./x", -EACCES, "Workload failed: why: './x' is not a program (chmod +x?)");
	explained("x", -ENOMEM, "Workload failed: why");
	explained("no-such-program", -EACCES,
		  "Workload failed: why: no program 'no-such-program' along PATH");
	assert_int_equal(workload_check("no-such-program"), -ENOENT);
	assert_int_equal(workload_check("./no-such-program"), -ENOENT);
	assert_int_equal(workload_check("/proc/self/status"), -EACCES);
	assert_int_equal(workload_check("/"), -EACCES);
	assert_int_equal(workload_check("sh"), 0);
	assert_int_equal(workload_check("/proc/self/exe"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_s_name_tells_why_it_cannot_be_run),
		cmocka_unit_test(the_program_runs_when_it_is_let_and_not_before),
		cmocka_unit_test(its_output_goes_where_it_is_told_to),
		cmocka_unit_test(a_program_that_is_not_there_is_told),
		cmocka_unit_test(a_program_that_may_not_be_run_is_told),
		cmocka_unit_test(a_child_that_was_never_let_go_is_removed),
		cmocka_unit_test(a_child_that_was_killed_before_its_start_is_no_error),
		cmocka_unit_test(a_child_whose_parent_dies_ends_by_itself),
		cmocka_unit_test(the_program_sees_the_signals_that_were_before),
		cmocka_unit_test(the_program_inherits_no_descriptor_of_ours),
		cmocka_unit_test(the_cost_is_that_of_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
