/* SPDX-License-Identifier: MIT */
#include "workload/workload.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct test_workload *const test_workloads[] = { &test_workload_noploop,
						       &test_workload_thloop,
						       &test_workload_leafloop,
						       &test_workload_sqrtloop, NULL };

volatile sig_atomic_t test_workload_is_over;

const struct test_workload *test_workload_find(const char *name)
{
	for (const struct test_workload *const *w = test_workloads; *w; w++)
		if (!strcmp((*w)->name, name))
			return *w;
	return NULL;
}

static void on_end(int signal)
{
	(void)signal;
	test_workload_is_over = 1;
}

int test_workload_set_end(unsigned seconds)
{
	struct sigaction action = { .sa_handler = on_end };

	sigemptyset(&action.sa_mask);
	test_workload_is_over = 0;
	if (sigaction(SIGALRM, &action, NULL) < 0 || sigaction(SIGINT, &action, NULL) < 0)
		return -errno;
	alarm(seconds);
	return 0;
}
