/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/test/workload/workload.h"

/*
 * Two processes that wait for each other through pipes: proc1 runs context_switch_loop_proc1(), its
 * child proc2 runs context_switch_loop_proc2().
 */
__attribute__((noinline)) int context_switch_loop_proc1(int in, int out, unsigned long loops);
__attribute__((noinline)) int context_switch_loop_proc2(int in, int out, unsigned long loops);

static volatile unsigned long switches;

int context_switch_loop_proc1(int in, int out, unsigned long loops)
{
	char byte = 0;

	for (unsigned long i = 0; i < loops; i++) {
		switches++;
		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			return -EPIPE;
	}
	return 0;
}

int context_switch_loop_proc2(int in, int out, unsigned long loops)
{
	char byte = 0;

	for (unsigned long i = 0; i < loops; i++) {
		switches += 2;
		if (read(in, &byte, 1) != 1 || write(out, &byte, 1) != 1)
			return -EPIPE;
	}
	return 0;
}

static int run_both(int there[2], int back[2], unsigned long loops)
{
	pid_t child = fork();
	int r;

	if (child < 0)
		return -errno;
	if (!child) {
		prctl(PR_SET_NAME, "proc2");
		/*
		 * Closed so that the process sees the end of the pipe if the other one has ended.
		 */
		close(there[1]);
		_exit(context_switch_loop_proc2(there[0], back[1], loops) < 0);
	}
	prctl(PR_SET_NAME, "proc1");
	close(back[1]);
	back[1] = -1;
	r = context_switch_loop_proc1(back[0], there[1], loops);
	waitpid(child, NULL, 0);
	return r;
}

static void close_both(const int pipe[2])
{
	for (int i = 0; i < 2; i++)
		if (pipe[i] >= 0)
			close(pipe[i]);
}

static int context_switch_loop(const double *numbers)
{
	int there[2] = { -1, -1 }, back[2] = { -1, -1 };
	int r = pipe(there) < 0 || pipe(back) < 0 ? -errno : 0;

	if (r >= 0)
		r = run_both(there, back, (unsigned long)numbers[0]);
	close_both(there);
	close_both(back);
	return r;
}

const struct test_workload test_workload_context_switch_loop = {
	.name = "context_switch_loop",
	.summary = "two processes that wait for each other",
	.numbers = { WORKLOAD_COUNT("loops", 100, 1e12) },
	.run = context_switch_loop,
};
