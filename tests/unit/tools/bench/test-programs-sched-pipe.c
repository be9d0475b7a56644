/* SPDX-License-Identifier: MIT */
/* Alone: it replaces kill(). */
#include "benches.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "left-behind.h"
#include "tools/bench/programs/sched.h"

/* Replaces kill() in this program, and counts its calls. */
static unsigned kills;

int kill(pid_t pid, int signal)
{
	kills++;
	return (int)syscall(SYS_kill, pid, signal);
}

static void measure(const struct bench_pipe_params *p)
{
	const struct left_behind before = left_behind_now();
	struct bench_result r = { 0 };

	run_bench(bench_sched_pipe, p, 1, &r);
	assert_int_equal(r.n, 3);
	assert_figures_of_ops(&r, (double)p->loops);
	assert_int_equal(r.ops.kind, BENCH_OPS_PIPE);
	assert_int_equal(r.ops.loops, p->loops);
	assert_int_equal(r.ops.threads, p->threads);
	bench_result_done(&r);
	assert_nothing_more_than(&before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void bytes_go_there_and_back(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct bench_pipe_params p = {
			.loops = 3, .write_size = 4, .threads = i & 1, .nonblocking = i & 2
		};

		measure(&p);
		p.write_size = 1;
		p.loops = 1;
		measure(&p);
		/* The capacity of a pipe. */
		p.write_size = 65536;
		measure(&p);
	}
}

static void wrong_numbers_are_refused(void **state)
{
	struct bench_pipe_params p = { .loops = 0, .write_size = 4 };

	(void)state;
	assert_bench_refuses(bench_sched_pipe, &p, -EINVAL, "--loop");
	p.loops = 1;
	p.write_size = 0;
	assert_bench_refuses(bench_sched_pipe, &p, -EINVAL, "--write-size");
	p.write_size = 65537;
	assert_bench_refuses(bench_sched_pipe, &p, -EINVAL, "65536");
}

/* The files are /dev/null, which accepts everything. */
static void tasks_enter_cgroups_or_say_which_they_cannot(void **state)
{
	(void)state;
	for (int threads = 0; threads < 2; threads++) {
		struct bench_pipe_params p = { .loops = 2, .write_size = 4, .threads = threads };

		p.sender_cgroup = p.receiver_cgroup = "/dev/null";
		measure(&p);
		p.sender_cgroup = "/no/such/sender";
		assert_bench_refuses(bench_sched_pipe, &p, -ENOENT, "/no/such/sender");
		p.sender_cgroup = NULL;
		p.receiver_cgroup = "/no/such/receiver";
		kills = 0;
		assert_bench_refuses(bench_sched_pipe, &p, threads ? -ENOENT : -EACCES,
				     "/no/such/receiver");
		/*
		 * A process that has been waited for is not killed any more, because its number may
		 * belong to another.
		 */
		assert_int_equal(kills, 0);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_go_there_and_back),
		cmocka_unit_test(wrong_numbers_are_refused),
		cmocka_unit_test(tasks_enter_cgroups_or_say_which_they_cannot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
