/* SPDX-License-Identifier: MIT */
#include "tools/test/workload/workload.h"

#include <sys/prctl.h>

/*
 * Spends all of its time in one function, which calls no other. Tests of perf 7.2 expect the name
 * of its thread.
 */
__attribute__((noinline)) int noploop(const double *numbers);
__attribute__((noinline)) int noploop(const double *numbers)
{
	int r = test_workload_set_end(numbers[0]);

	prctl(PR_SET_NAME, "perf-noploop");
	while (r >= 0 && !test_workload_is_over)
		;
	return r;
}

const struct test_workload test_workload_noploop = {
	.name = "noploop",
	.summary = "a loop that does nothing",
	.numbers = { WORKLOAD_SECONDS },
	.run = noploop,
};
