/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/reference-stacks.h"
#include "session/call-chain.h"

static void the_last_stack_of_a_thread_is_its_stack(void **state)
{
	_cleanup_(reference_stacks_freep) struct reference_stacks *r = reference_stacks_new();
	_cleanup_(call_chain_done) struct call_chain got = { 0 };
	struct chain_entry entries[] = { { .ip = 1 }, { .ip = 2 } };

	(void)state;
	reference_stacks_keep(r, 7, &(struct call_chain){ .items = entries, .n = 1 });
	reference_stacks_keep(r, 7, &(struct call_chain){ .items = entries, .n = 2 });
	reference_stacks_keep(r, 8, &(struct call_chain){ .items = entries + 1, .n = 1 });
	reference_stacks_get(r, 7, &got);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.items[1].ip, 2);
	reference_stacks_get(r, 8, &got);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.items[0].ip, 2);
}

static void a_thread_that_had_none_has_none(void **state)
{
	_cleanup_(reference_stacks_freep) struct reference_stacks *r = reference_stacks_new();
	_cleanup_(call_chain_done) struct call_chain got = { 0 };

	(void)state;
	reference_stacks_get(r, 7, &got);
	assert_int_equal(got.n, 0);
	reference_stacks_keep(r, 7, &(struct call_chain){ 0 });
	reference_stacks_get(r, 7, &got);
	assert_int_equal(got.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_stack_of_a_thread_is_its_stack),
		cmocka_unit_test(a_thread_that_had_none_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
