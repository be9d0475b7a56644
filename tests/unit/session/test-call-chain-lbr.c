/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/call-chain-lbr.h"
#include "session/call-chain.h"
#include "wire/sample.h"

#define KERNEL 0xffff800080010000

static const uint64_t calls[] = { 0x114, 0x200, 0, 0x24, 0x100, 0 };

static struct sample sample_of(const uint64_t *chain, size_t n, size_t n_calls)
{
	return (struct sample){
		.misc = PERF_RECORD_MISC_KERNEL,
		.chain = { .bytes = (const uint8_t *)chain, .n = n },
		.branches = { .bytes = (const uint8_t *)calls, .n = 3 * n_calls },
	};
}

static void callers_are_where_calls_came_from(void **state)
{
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x208, 0x118 };
	struct sample s = sample_of(chain, 3, 2);

	(void)state;
	assert_true(call_chain_take_lbr(&c, &s, 127));
	assert_int_equal(c.n, 3);
	assert_int_equal(c.items[0].ip, 0x200);
	assert_int_equal(c.items[1].ip, 0x114);
	assert_int_equal(c.items[2].ip, 0x24);
	assert_int_equal(c.items[2].mode, ADDRESS_USER);
}

static void the_kernel_is_above_them(void **state)
{
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, KERNEL, KERNEL + 8,
					  PERF_CONTEXT_USER, 0x208 };
	struct sample s = sample_of(chain, 5, 1);

	(void)state;
	assert_true(call_chain_take_lbr(&c, &s, 127));
	assert_int_equal(c.n, 4);
	assert_true(c.items[0].ip == KERNEL);
	assert_int_equal(c.items[1].mode, ADDRESS_KERNEL);
	assert_int_equal(c.items[2].ip, 0x200);
	assert_int_equal(c.items[3].ip, 0x114);
}

static void without_calls_the_chain_has_to_do(void **state)
{
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x208 };
	struct sample s = sample_of(chain, 2, 0);

	(void)state;
	assert_false(call_chain_take_lbr(&c, &s, 127));
}

static void a_chain_that_never_leaves_the_kernel_stays_as_it_is(void **state)
{
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, KERNEL, PERF_CONTEXT_USER, 0x208 };
	struct sample s = sample_of(chain, 2, 2);

	(void)state;
	assert_false(call_chain_take_lbr(&c, &s, 127));
	s = sample_of(chain, 4, 2);
	assert_false(call_chain_take_lbr(&c, &s, 2));
	assert_true(call_chain_take_lbr(&c, &s, 3));
}

static void only_call_stacks_are_stacks(void **state)
{
	struct attr a = { .sample_type = PERF_SAMPLE_BRANCH_STACK,
			  .branch_sample_type = PERF_SAMPLE_BRANCH_ANY };

	(void)state;
	assert_false(call_chain_is_lbr(&a));
	a.branch_sample_type |= PERF_SAMPLE_BRANCH_CALL_STACK;
	assert_true(call_chain_is_lbr(&a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_are_where_calls_came_from),
		cmocka_unit_test(the_kernel_is_above_them),
		cmocka_unit_test(without_calls_the_chain_has_to_do),
		cmocka_unit_test(a_chain_that_never_leaves_the_kernel_stays_as_it_is),
		cmocka_unit_test(only_call_stacks_are_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
