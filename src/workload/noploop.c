/* SPDX-License-Identifier: MIT */
#include "workload/workload.h"

/* All of its time is in one function, which calls nobody. */
__attribute__((noinline)) int noploop(unsigned seconds);
__attribute__((noinline)) int noploop(unsigned seconds)
{
	int r = test_workload_set_end(seconds);

	while (r >= 0 && !test_workload_is_over)
		;
	return r;
}

const struct test_workload test_workload_noploop = {
	.name = "noploop",
	.summary = "a loop that does nothing",
	.run = noploop,
};
