/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/decoder.h"
#include "hwtrace/traced-stack.h"

#define CALL   (AUX_FLAG_BRANCH | AUX_FLAG_CALL)
#define RETURN (AUX_FLAG_BRANCH | AUX_FLAG_RETURN)
#define KERNEL UINT64_C(0xffffffff81000000)

static void a_chain_has_the_callers_innermost_first(void **state)
{
	(void)state;
	struct traced_stack s;
	uint64_t chain[8];

	traced_stack_init(&s, 0);
	traced_stack_branch(&s, 0x100, 0x200, 5, CALL);
	traced_stack_branch(&s, 0x210, 0x300, 5, CALL);
	assert_int_equal(traced_stack_chain(&s, 0x304, chain, 8), 4);
	assert_int_equal(chain[0], PERF_CONTEXT_USER);
	assert_int_equal(chain[1], 0x304);
	assert_int_equal(chain[2], 0x215);
	assert_int_equal(chain[3], 0x105);
	/* The chain is cut at the capacity. */
	assert_int_equal(traced_stack_chain(&s, 0x304, chain, 2), 2);
	traced_stack_branch(&s, 0x310, 0x215, 1, RETURN);
	assert_int_equal(traced_stack_chain(&s, 0x216, chain, 8), 3);
	traced_stack_done(&s);
}

static void a_return_past_callers_drops_them(void **state)
{
	(void)state;
	struct traced_stack s;
	uint64_t chain[8];

	traced_stack_init(&s, 0);
	for (uint64_t i = 1; i < 5; i++)
		traced_stack_branch(&s, 0x100 * i, 0x100 * (i + 1), 5, CALL);
	traced_stack_branch(&s, 0x510, 0x105, 1, RETURN);
	assert_int_equal(traced_stack_chain(&s, 0x105, chain, 8), 2);
	/* A return to an address that no call came from. */
	traced_stack_branch(&s, 0x110, 0x999, 1, RETURN);
	traced_stack_done(&s);
}

static void the_mode_is_told_where_it_changes(void **state)
{
	(void)state;
	struct traced_stack s;
	uint64_t chain[8];

	traced_stack_init(&s, 0);
	traced_stack_branch(&s, 0x100, KERNEL, 2, CALL | AUX_FLAG_SYSCALLRET);
	assert_int_equal(traced_stack_chain(&s, KERNEL + 8, chain, 8), 4);
	assert_int_equal(chain[0], PERF_CONTEXT_KERNEL);
	assert_int_equal(chain[2], PERF_CONTEXT_USER);
	assert_int_equal(chain[3], 0x102);
	traced_stack_done(&s);
}

static void an_interrupt_returns_to_its_instruction(void **state)
{
	(void)state;
	struct traced_stack s;
	uint64_t chain[8];

	traced_stack_init(&s, 0);
	traced_stack_branch(&s, 0x100, KERNEL, 3, CALL | AUX_FLAG_ASYNC | AUX_FLAG_INTERRUPT);
	traced_stack_chain(&s, KERNEL, chain, 8);
	assert_int_equal(chain[3], 0x100);
	traced_stack_clear(&s);
	assert_int_equal(traced_stack_chain(&s, KERNEL, chain, 8), 2);
	traced_stack_done(&s);
}

static void endless_recursion_has_an_end(void **state)
{
	(void)state;
	struct traced_stack s;

	traced_stack_init(&s, 0);
	for (size_t i = 0; i < 200000; i++)
		traced_stack_branch(&s, 0x100, 0x100, 5, CALL);
	assert_true(s.n <= 65536);
	traced_stack_done(&s);
}

static void the_last_branches_are_newest_first(void **state)
{
	(void)state;
	struct traced_stack s;
	uint64_t last[6];

	traced_stack_init(&s, 2);
	assert_int_equal(traced_stack_last(&s, last), 0);
	for (uint64_t i = 1; i < 5; i++)
		traced_stack_branch(&s, i, 10 * i, 1, AUX_FLAG_BRANCH);
	assert_int_equal(traced_stack_last(&s, last), 2);
	assert_int_equal(last[0], 4);
	assert_int_equal(last[1], 40);
	assert_int_equal(last[3], 3);
	traced_stack_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_has_the_callers_innermost_first),
		cmocka_unit_test(a_return_past_callers_drops_them),
		cmocka_unit_test(the_mode_is_told_where_it_changes),
		cmocka_unit_test(an_interrupt_returns_to_its_instruction),
		cmocka_unit_test(endless_recursion_has_an_end),
		cmocka_unit_test(the_last_branches_are_newest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
