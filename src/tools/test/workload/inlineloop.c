/* SPDX-License-Identifier: MIT */
/*
 * A loop in a function that is inlined into another, which is inlined into a third.
 *
 * Scripts look for lines: the two inlined functions must be between lines 20 and 29, and their
 * caller between 30 and 39. The comments in front of them have the necessary length.
 */
#include <sys/prctl.h>

#include "tools/test/workload/workload.h"

static volatile unsigned long inline_rounds;

/* Not static, so that it can be found by its name. */
__attribute__((noinline)) void inlineloop_parent(void);

/*
 * Both would be inlined anyway; the attribute keeps it so in builds without optimisation.
 */
static inline __attribute__((always_inline)) void inlineloop_leaf(void)
{
	while (!test_workload_is_over)
		inline_rounds++;
}

static inline __attribute__((always_inline)) void inlineloop_middle(void)
{
	inlineloop_leaf();
}

/* The call is not in tail position, because it would become a jump. */
void inlineloop_parent(void)
{
	inlineloop_middle();
	inline_rounds++;
}

static int inlineloop(const double *numbers)
{
	int r = test_workload_set_end(numbers[0]);

	prctl(PR_SET_NAME, "perf-inlineloop");
	if (r >= 0)
		inlineloop_parent();
	return r;
}

const struct test_workload test_workload_inlineloop = {
	.name = "inlineloop",
	.summary = "a loop in a function that is inlined twice",
	.numbers = { WORKLOAD_SECONDS },
	.run = inlineloop,
};
