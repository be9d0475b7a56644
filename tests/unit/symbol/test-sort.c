/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "symbol/sort.h"
#include "symbol/symbol.h"

#define MANY 5000

static void symbols_are_sorted_by_start(void **state)
{
	struct symbol s[] = { { .start = 3 },
			      { .start = UINT64_MAX },
			      { .start = 0 },
			      { .start = 0xffff800080000000 },
			      { .start = 2048 } };
	static const uint64_t expected[] = { 0, 3, 2048, 0xffff800080000000, UINT64_MAX };

	(void)state;
	symbol_sort(s, 5);
	for (size_t i = 0; i < 5; i++)
		assert_true(s[i].start == expected[i]);
}

static void equal_ones_stay_in_their_order(void **state)
{
	struct symbol *s = calloc(MANY, sizeof(*s));

	(void)state;
	srand(1);
	for (uint32_t i = 0; i < MANY; i++)
		s[i] = (struct symbol){ .start = (uint64_t)(rand() % 700) << 20, .number = i };
	symbol_sort(s, MANY);
	for (size_t i = 1; i < MANY; i++)
		assert_true(s[i - 1].start < s[i].start ||
			    (s[i - 1].start == s[i].start && s[i - 1].number < s[i].number));
	free(s);
}

static void none_and_one_are_sorted(void **state)
{
	struct symbol one = { .start = 7 };

	(void)state;
	symbol_sort(NULL, 0);
	symbol_sort(&one, 1);
	assert_int_equal(one.start, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_sorted_by_start),
		cmocka_unit_test(equal_ones_stay_in_their_order),
		cmocka_unit_test(none_and_one_are_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
