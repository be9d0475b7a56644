/* SPDX-License-Identifier: MIT */
#include "tools/test/workload/workload.h"

/*
 * All kinds of branches between known functions: calls, indirect calls, returns, conditional and
 * unconditional jumps. No call is in tail position, because it would become a jump.
 */
__attribute__((noinline)) void brstack_bar(void);
__attribute__((noinline)) void brstack_foo(void);
__attribute__((noinline)) void brstack_bench(void);
__attribute__((noinline)) int brstack(const double *numbers);

static volatile unsigned long branches;

void brstack_bar(void)
{
	branches++;
}

void brstack_foo(void)
{
	brstack_bar();
	branches++;
}

/* It is volatile so that the compiler cannot know the target. */
static void (*volatile foo_by_address)(void) = brstack_foo;

void brstack_bench(void)
{
	if ((branches & 3) == 1)
		branches++;
	brstack_foo();
	foo_by_address();
	brstack_bar();
	branches++;
}

/* Not optimized, because an optimized loop would have no unconditional jump. */
#ifdef __clang__
__attribute__((optnone))
#else
__attribute__((optimize("O0")))
#endif
int brstack(const double *numbers)
{
	unsigned long left = (unsigned long)numbers[0];

	for (;;) {
		if (!left--)
			break;
		brstack_bench();
	}
	return 0;
}

const struct test_workload test_workload_brstack = {
	.name = "brstack",
	.summary = "branches of all kinds between known functions",
	.numbers = { WORKLOAD_COUNT("loops", 999999, 1e15) },
	.run = brstack,
};
