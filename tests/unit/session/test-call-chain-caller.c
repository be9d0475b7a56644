/* SPDX-License-Identifier: MIT */
#include "leaf-program.h"

#include "session/call-chain.h"

static int set_up(void **state)
{
	static struct leaf_program g;

	leaf_program_map(&g, ".eh_frame", 10);
	leaf_program_open(&g);
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	leaf_program_done(*state);
	return 0;
}

/*
 * Returns the result of leaf_caller() for a sample at @pc whose frame record gives @next; 0: there
 * is none.
 */
static uint64_t caller_of(const struct leaf_program *g, uint64_t abi, uint64_t mask, uint64_t pc,
			  uint64_t lr, uint64_t next)
{
	uint64_t chain[] = { PERF_CONTEXT_USER, pc, next }, ret = 0;
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = LEAF_PID,
		.tid = LEAF_PID,
		.chain = { .bytes = (const uint8_t *)chain, .n = 3 },
		.user_regs = { .abi = abi,
			       .mask = mask,
			       .values = { .bytes = (const uint8_t *)&lr, .n = 1 } },
	};
	struct leaf_memo memo = { 0 };
	bool found = leaf_caller(g->session, &memo, &s, 1, 20, &ret);

	/* The remembered result is the same. */
	assert_int_equal(leaf_caller(g->session, &memo, &s, 1, 20, &ret), found);
	leaf_memo_done(&memo);

	assert_int_equal(found, ret != 0);
	return ret;
}

static uint64_t caller(const struct leaf_program *g, uint64_t at, uint64_t lr, uint64_t next)
{
	return caller_of(g, 2, 1 << 30, g->text + at, lr, next);
}

static void the_caller_of_a_leaf_is_in_the_link_register(void **state)
{
	const struct leaf_program *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_LEAF, lr, LEAF_BASE + 8), lr - 1);
	assert_int_equal(caller(g, LEAF_STUB, lr, LEAF_BASE + 8), lr - 1);
	assert_int_equal(caller(g, LEAF_SETS_FP, lr, LEAF_BASE + 8), lr - 1);
	assert_int_equal(caller(g, LEAF_RESTORED, lr, LEAF_BASE + 8), lr - 1);
}

static void with_a_frame_record_none_is_missing(void **state)
{
	const struct leaf_program *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_CALLS, lr, LEAF_BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_START, lr, LEAF_BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_LEAF, lr, lr), 0);
}

static void an_unwound_stack_has_it_already(void **state)
{
	const struct leaf_program *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_LEAF, lr, lr - 1), 0);
	assert_int_equal(caller(g, LEAF_LEAF, lr | 0x005a000000000000, lr - 1), 0);
}

static void a_signed_return_address_is_understood(void **state)
{
	const struct leaf_program *g = *state;
	uint64_t lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller(g, LEAF_LEAF, lr | 0x005a000000000000, LEAF_BASE + 8), lr - 1);
}

static void an_address_that_is_nowhere_is_no_caller(void **state)
{
	const struct leaf_program *g = *state;

	assert_int_equal(caller(g, LEAF_LEAF, 0, LEAF_BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_LEAF, 0x1234, LEAF_BASE + 8), 0);
	assert_int_equal(caller(g, 0x100000, g->text + 8, LEAF_BASE + 8), 0);
}

static void right_behind_a_call_the_link_register_tells_nothing(void **state)
{
	const struct leaf_program *g = *state;

	assert_int_equal(caller(g, LEAF_LEAF + 4, g->text + LEAF_LEAF + 4, LEAF_BASE + 8), 0);
	assert_int_equal(caller(g, LEAF_GO_RETURNED, g->text + LEAF_GO_RETURNED, LEAF_BASE + 8), 0);
}

/*
 * Returns the length of the stack of a sample at @at of the program, whose records give @next and
 * then LEAF_BASE + 8.
 */
static size_t length_of(const struct leaf_program *g, uint64_t mask, uint64_t at, uint64_t next)
{
	uint64_t chain[] = { PERF_CONTEXT_USER, g->text + at, g->text + next, LEAF_BASE + 8 };
	uint64_t lr = LEAF_BASE + 8;
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.pid = LEAF_PID,
		.tid = LEAF_PID,
		.chain = { .bytes = (const uint8_t *)chain, .n = 4 },
		.user_regs = { .abi = 2,
			       .mask = mask,
			       .values = { .bytes = (const uint8_t *)&lr, .n = 1 } },
	};
	struct call_chain c = { 0 };
	size_t n;

	call_chain_take(&c, g->session, &s, 20, 10);
	assert_int_equal(c.items[0].ip, g->text + at);
	assert_int_equal(c.items[c.n - 1].ip, LEAF_BASE + 8);
	n = c.n;
	call_chain_done(&c);
	return n;
}

static void where_a_callee_will_return_to_is_no_caller(void **state)
{
	const struct leaf_program *g = *state;
	uint64_t lr = 1 << 30;

	assert_int_equal(length_of(g, lr, LEAF_GO_CALLS, LEAF_GO_RETURNED), 2);
	assert_int_equal(length_of(g, lr, LEAF_GO_RETURNED, LEAF_GO_RETURNED), 2);
	assert_int_equal(length_of(g, lr, LEAF_GO_RESET, LEAF_GO_RETURNED), 3);
	assert_int_equal(length_of(g, lr, LEAF_GO_CALLS, LEAF_CALLS + 4), 3);
	assert_int_equal(length_of(g, lr, LEAF_CALLS, LEAF_CALLS + 4), 3); /* a recursion */
	assert_int_equal(length_of(g, 1, LEAF_GO_CALLS, LEAF_GO_RETURNED), 3);
}

static void other_machines_and_registers_tell_nothing(void **state)
{
	const struct leaf_program *g = *state;
	uint64_t pc = g->text + LEAF_LEAF, lr = g->text + LEAF_CALLS + 4;

	assert_int_equal(caller_of(g, 1, 1 << 30, pc, lr, LEAF_BASE + 8), 0); /* a 32-bit process */
	assert_int_equal(caller_of(g, 2, 1 << 29, pc, lr, LEAF_BASE + 8), 0);
	assert_int_equal(caller_of(g, 0, 0, pc, lr, LEAF_BASE + 8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_caller_of_a_leaf_is_in_the_link_register),
		cmocka_unit_test(with_a_frame_record_none_is_missing),
		cmocka_unit_test(an_unwound_stack_has_it_already),
		cmocka_unit_test(a_signed_return_address_is_understood),
		cmocka_unit_test(an_address_that_is_nowhere_is_no_caller),
		cmocka_unit_test(right_behind_a_call_the_link_register_tells_nothing),
		cmocka_unit_test(where_a_callee_will_return_to_is_no_caller),
		cmocka_unit_test(other_machines_and_registers_tell_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
