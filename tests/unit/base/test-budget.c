/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"

static void what_is_left_can_be_taken(void **state)
{
	struct budget b = { .left = 10 };

	(void)state;
	budget_add(&b, 5, 2);
	assert_true(budget_take(&b, 15));
	assert_true(budget_take(&b, 5));
	assert_true(budget_take(&b, 0));
	assert_false(budget_take(&b, 1));
}

static void what_is_refused_costs_nothing(void **state)
{
	struct budget b = { .left = 10 };

	(void)state;
	assert_false(budget_take(&b, UINT64_MAX));
	assert_false(budget_take(&b, 11));
	assert_true(budget_take(&b, 10));
}

static void a_large_input_does_not_overflow_it(void **state)
{
	struct budget b = { .left = 10 };

	(void)state;
	budget_add(&b, UINT64_MAX / 2, 16);
	assert_true(b.left == UINT64_MAX);
	budget_add(&b, 1, 1);
	assert_true(b.left == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_left_can_be_taken),
		cmocka_unit_test(what_is_refused_costs_nothing),
		cmocka_unit_test(a_large_input_does_not_overflow_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
