/* SPDX-License-Identifier: MIT */
#include "workload/workload.h"

/* All of its time is in one function, which calls nobody. */
__attribute__((noinline)) int noploop(const double *numbers);
__attribute__((noinline)) int noploop(const double *numbers)
{
	int r = test_workload_set_end(numbers[0]);

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
