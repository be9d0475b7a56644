/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/branch-stats.h"
#include "wire/sample.h"

enum {
	COND = 1,
	CALL = 4
};

static struct branch_stats of(uint64_t from, uint64_t to, unsigned type)
{
	struct branch_stats s = { 0 };

	branch_stats_add(&s, &(struct branch){ from, to, (uint64_t)type << 20 });
	return s;
}

static void conditions_jump_forward_or_backward(void **state)
{
	(void)state;
	assert_int_equal(of(0x1000, 0x1010, COND).forward, 1);
	assert_int_equal(of(0x1010, 0x1000, COND).backward, 1);
	assert_int_equal(of(0x1000, 0x1000, COND).backward, 1);
	assert_int_equal(of(0x1000, 0x1010, CALL).forward, 0);
}

static void a_page_is_crossed_once_at_most(void **state)
{
	struct branch_stats s = of(0x1ff0, 0x2010, CALL);

	(void)state;
	assert_int_equal(s.cross_4k, 1);
	assert_int_equal(s.cross_2m, 0);
	s = of(0x1ffff0, 0x200010, CALL);
	assert_int_equal(s.cross_4k, 0);
	assert_int_equal(s.cross_2m, 1);
}

static void branches_of_no_known_kind_do_not_count(void **state)
{
	struct branch_stats s = of(0x1000, 0x900000, 0);

	(void)state;
	assert_int_equal(branch_stats_total(&s), 0);
	assert_int_equal(s.cross_2m, 0);
	s = of(0, 0x1000, COND);
	assert_int_equal(branch_stats_total(&s), 0);
}

static void newer_kinds_stand_behind_the_others(void **state)
{
	struct branch_stats s = { 0 };

	(void)state;
	branch_stats_add(&s, &(struct branch){ 1, 2, 15ull << 20 | 3ull << 26 });
	assert_int_equal(s.kinds[BRANCH_NEWER + 3], 1);
	assert_int_equal(branch_stats_total(&s), 1);
}

static void sums_add_up(void **state)
{
	struct branch_stats a = of(0x1000, 0x900010, COND), b = of(0x1010, 0x2000, COND);

	(void)state;
	branch_stats_merge(&a, &b);
	assert_int_equal(a.kinds[COND], 2);
	assert_int_equal(a.forward, 2);
	assert_int_equal(a.cross_2m, 1);
	assert_int_equal(a.cross_4k, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_jump_forward_or_backward),
		cmocka_unit_test(a_page_is_crossed_once_at_most),
		cmocka_unit_test(branches_of_no_known_kind_do_not_count),
		cmocka_unit_test(newer_kinds_stand_behind_the_others),
		cmocka_unit_test(sums_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
