/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/kmem/slab-view.h"

static void a_rule_has_105_dashes(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	kmem_print_rule(&out);
	assert_int_equal(out.length, 106);
	assert_int_equal(strspn(out.chars, "-"), 105);
}

static void dots_stand_for_rows_that_are_left_out(void **state)
{
	(void)state;
	assert_int_equal(kmem_rows_shown(3, -1), 3);
	assert_int_equal(kmem_rows_shown(3, 2), 2);
	assert_int_equal(kmem_rows_shown(3, 7), 3);
	assert_true(kmem_rows_are_cut(3, 2));
	assert_false(kmem_rows_are_cut(3, 3));
	assert_false(kmem_rows_are_cut(3, -1));
	assert_true(kmem_rows_are_cut(0, -1));
	assert_false(kmem_rows_are_cut(0, 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_has_105_dashes),
		cmocka_unit_test(dots_stand_for_rows_that_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
