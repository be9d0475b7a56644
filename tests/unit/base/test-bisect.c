/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bisect.h"
#include "base/cleanup.h"

static void every_count_of_every_length_is_found(void **state)
{
	(void)state;
	for (size_t n = 0; n < 70; n++)
		for (size_t holds = 0; holds <= n; holds++)
			assert_int_equal(BISECT(i, n, i < holds), holds);
}

static void equal_items_are_on_one_side(void **state)
{
	static const int items[] = { 1, 3, 3, 3, 7 };

	(void)state;
	assert_int_equal(BISECT(i, ARRAY_SIZE(items), items[i] < 3), 1);
	assert_int_equal(BISECT(i, ARRAY_SIZE(items), items[i] <= 3), 4);
	assert_int_equal(BISECT(i, ARRAY_SIZE(items), items[i] <= 9), 5);
}

static void without_order_no_index_leaves_the_range(void **state)
{
	static const int items[] = { 9, 0, 8, 1, 7, 2, 6 };

	(void)state;
	for (int limit = 0; limit < 10; limit++)
		assert_in_range(BISECT(i, ARRAY_SIZE(items), items[i] < limit), 0, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_count_of_every_length_is_found),
		cmocka_unit_test(equal_items_are_on_one_side),
		cmocka_unit_test(without_order_no_index_leaves_the_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
