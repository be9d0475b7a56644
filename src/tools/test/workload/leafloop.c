/* SPDX-License-Identifier: MIT */
#include "tools/test/workload/workload.h"

/*
 * The time is spent in leaf(), which parent() calls. Neither call is in tail position, because it
 * would become a jump, and the caller would not be on the stack.
 */
__attribute__((noinline)) void leaf(void);
__attribute__((noinline)) void parent(void);

static volatile unsigned long rounds;

void leaf(void)
{
#ifdef __x86_64__
	/*
	 * Compilers omit the frame of a leaf function. Its caller is then missing in stacks from
	 * frame pointers.
	 */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
#endif
	while (!test_workload_is_over)
		rounds++;
}

void parent(void)
{
	leaf();
	rounds++;
}

static int leafloop(const double *numbers)
{
	int r = test_workload_set_end(numbers[0]);

	if (r >= 0)
		parent();
	return r;
}

const struct test_workload test_workload_leafloop = {
	.name = "leafloop",
	.summary = "a loop in a function that parent() calls",
	.numbers = { WORKLOAD_SECONDS },
	.run = leafloop,
};
