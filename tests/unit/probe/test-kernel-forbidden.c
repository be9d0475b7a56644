/* SPDX-License-Identifier: MIT */
/* Tests the kernel's list of places that cannot be probed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "probe/kernel-forbidden.h"

static void ranges_are_found_in_any_order(void **state)
{
	struct kernel_forbidden f = { 0 };

	(void)state;
	kernel_forbidden_parse(&f, "0xffff800008020000-0xffff800008020010\tlater\n"
				   "0xffff800008010000-0xffff800008010180\tearlier\n");
	assert_true(kernel_forbids(&f, 0xffff800008010000));
	assert_true(kernel_forbids(&f, 0xffff80000801017f));
	assert_false(kernel_forbids(&f, 0xffff800008010180));
	assert_true(kernel_forbids(&f, 0xffff80000802000c));
	assert_false(kernel_forbids(&f, 0xffff80000800fffc));
	kernel_forbidden_done(&f);
}

static void what_is_no_range_is_left(void **state)
{
	struct kernel_forbidden f = { 0 };

	(void)state;
	kernel_forbidden_parse(&f, "0x0000000000000000-0x0000000000000000\thidden\n"
				   "0x20-0x10\tbackwards\n"
				   "words\n\n0x30");
	assert_int_equal(f.n, 0);
	assert_false(kernel_forbids(&f, 0));
	assert_false(kernel_forbids(&f, 0x18));
	kernel_forbidden_done(&f);
}

static void ranges_may_lie_within_others(void **state)
{
	struct kernel_forbidden f = { 0 };

	(void)state;
	kernel_forbidden_parse(&f, "0x1000-0x2000\twhole\n0x1100-0x1200\tpart\n");
	assert_true(kernel_forbids(&f, 0x1fff));
	kernel_forbidden_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_found_in_any_order),
		cmocka_unit_test(what_is_no_range_is_left),
		cmocka_unit_test(ranges_may_lie_within_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
