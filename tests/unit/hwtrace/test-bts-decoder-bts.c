/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/bts-decoder.h"

static void a_branch_is_three_words(void **state)
{
	(void)state;
	static const uint8_t bytes[BTS_BRANCH_SIZE] = { 0x34, 0x12, [8] = 0x78, [16] = 0x10 };
	struct bts_branch b = { 0 };

	assert_true(bts_branch_decode(bytes, sizeof(bytes), &b));
	assert_int_equal(b.from, 0x1234);
	assert_int_equal(b.to, 0x78);
	assert_true(b.predicted);
}

static void a_branch_that_is_cut_off_is_none(void **state)
{
	(void)state;
	static const uint8_t bytes[BTS_BRANCH_SIZE];
	struct bts_branch b = { .from = 7 };

	assert_false(bts_branch_decode(bytes, sizeof(bytes) - 1, &b));
	assert_int_equal(b.from, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_branch_is_three_words),
		cmocka_unit_test(a_branch_that_is_cut_off_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
