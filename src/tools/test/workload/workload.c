/* SPDX-License-Identifier: MIT */
#include "tools/test/workload/workload.h"

#include <errno.h>
#include <string.h>
#include <sys/time.h>

const struct test_workload *const test_workloads[] = {
	&test_workload_noploop,       &test_workload_thloop,
	&test_workload_named_threads, &test_workload_leafloop,
	&test_workload_sqrtloop,      &test_workload_brstack,
	&test_workload_datasym,       &test_workload_landlock,
	&test_workload_traploop,      &test_workload_inlineloop,
	&test_workload_jitdump,       &test_workload_context_switch_loop,
	&test_workload_deterministic, NULL,
};

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

int test_workload_set_end(double seconds)
{
	const struct itimerval end = {
		.it_value = { .tv_sec = (time_t)seconds,
			      .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) }
	};
	struct sigaction action = { .sa_handler = on_end };

	sigemptyset(&action.sa_mask);
	test_workload_is_over = 0;
	if (sigaction(SIGALRM, &action, NULL) < 0 || sigaction(SIGINT, &action, NULL) < 0)
		return -errno;
	return setitimer(ITIMER_REAL, &end, NULL) < 0 ? -errno : 0;
}
