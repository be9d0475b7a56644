/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "base/stack.h"
#include "skip.h"

#define MIB ((size_t)1 << 20)

struct call {
	uintptr_t outside;
	size_t far; /* distance between the stack of the call and that of its caller */
};

static __attribute__((noinline)) int use_much(void *arg)
{
	volatile char much[MIB];
	struct call *c = arg;
	uintptr_t here = (uintptr_t)&much[MIB - 1];

	for (size_t i = 0; i < sizeof(much); i += 1024)
		much[i] = 1;
	c->far = here > c->outside ? here - c->outside : c->outside - here;
	return 41 + much[0];
}

static void a_limited_stack_is_replaced(void **state)
{
	struct rlimit before;
	struct call c = { .outside = (uintptr_t)&c };
	int r;

	(void)state;
	getrlimit(RLIMIT_STACK, &before);
	setrlimit(RLIMIT_STACK, &(struct rlimit){ 256 * 1024, before.rlim_max });
	r = stack_call(4 * MIB, use_much, &c);
	setrlimit(RLIMIT_STACK, &before);
	assert_int_equal(r, 42);
	assert_true(c.far > 2 * MIB);
}

static void a_large_stack_is_used_as_it_is(void **state)
{
	struct rlimit limit;
	struct call c = { .outside = (uintptr_t)&c };

	(void)state;
	getrlimit(RLIMIT_STACK, &limit);
	if (limit.rlim_cur < 4 * MIB)
		skip_because("the stack is limited to less than 4 MiB");
	assert_int_equal(stack_call(4 * MIB, use_much, &c), 42);
	assert_true(c.far < 2 * MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limited_stack_is_replaced),
		cmocka_unit_test(a_large_stack_is_used_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
