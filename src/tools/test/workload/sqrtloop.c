/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/test/workload/workload.h"

static volatile double root;

__attribute__((noinline)) static void take_roots(void)
{
	for (unsigned i = 1; !test_workload_is_over; i++)
		root = sqrt((double)i);
}

/* Runs in a child process, for tests that children are followed. */
static int sqrtloop(const double *numbers)
{
	pid_t child = fork();

	if (child < 0)
		return -errno;
	if (!child) {
		if (test_workload_set_end(numbers[0]) >= 0)
			take_roots();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}

const struct test_workload test_workload_sqrtloop = {
	.name = "sqrtloop",
	.summary = "square roots, in a child process",
	.numbers = { WORKLOAD_SECONDS },
	.run = sqrtloop,
};
