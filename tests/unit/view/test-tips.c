/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "view/tips.h"

static void the_same_seed_gives_the_same_tip(void **state)
{
	(void)state;
	assert_ptr_equal(tip_choose(12345), tip_choose(12345));
	assert_ptr_not_equal(tip_choose(12345), tip_choose(12346));
	assert_non_null(tip_choose(UINT64_MAX));
}

static void tips_are_different_short_and_without_a_full_stop(void **state)
{
	size_t n;
	const char *const *all = tips(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_in_range(strlen(all[i]), 20, 100 - strlen("# (Tip: )"));
		assert_int_not_equal(all[i][strlen(all[i]) - 1], '.');
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(all[i], all[j]);
	}
}

static void narrow_terminals_have_tips_that_fit(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		assert_in_range(strlen(tip_choose_within(seed, 60)), 20, 60);
		assert_ptr_equal(tip_choose_within(seed, 100), tip_choose(seed));
		assert_ptr_equal(tip_choose_within(seed, 1), tip_choose_within(0, 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_seed_gives_the_same_tip),
		cmocka_unit_test(narrow_terminals_have_tips_that_fit),
		cmocka_unit_test(tips_are_different_short_and_without_a_full_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
