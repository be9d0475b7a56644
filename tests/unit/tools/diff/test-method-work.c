/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>

#include "tools/diff/method-work.h"

static int parse(const char *text, struct diff_method *m)
{
	size_t offset = 99;
	int r = diff_method_parse(text, m, &offset);

	return r < 0 ? -(int)offset - 1 : r;
}

static void methods_go_by_their_whole_name(void **state)
{
	struct diff_method m = { 0 };

	(void)state;
	assert_int_equal(parse("delta", &m), 0);
	assert_int_equal(m.compute, DIFF_DELTA);
	assert_int_equal(parse("delta-abs", &m), 0);
	assert_int_equal(m.compute, DIFF_DELTA_ABS);
	assert_int_equal(parse("ratio", &m), 0);
	assert_int_equal(m.compute, DIFF_RATIO);
	assert_int_equal(parse("cycles", &m), 0);
	assert_true(m.cycles);
	assert_int_equal(parse("del", &m), -1);
	assert_int_equal(parse("", &m), -1);
	assert_int_equal(parse("ratio:2", &m), -6);
}

static void a_weighted_difference_has_two_weights(void **state)
{
	struct diff_method m = { 0 };

	(void)state;
	assert_int_equal(parse("wdiff:2,-3", &m), 0);
	assert_int_equal(m.compute, DIFF_WDIFF);
	assert_int_equal(m.weight_base, 2);
	assert_int_equal(m.weight_other, -3);
	assert_int_equal(parse("wdiff", &m), -6);
	assert_int_equal(parse("wdiff:2", &m), -6);
	assert_int_equal(parse("wdiff:2,", &m), -6);
	assert_int_equal(parse("wdiff:2,3,4", &m), -6);
	assert_int_equal(parse("wdiff:99999999999999999999,1", &m), -6);
	assert_int_equal(m.weight_base, 2); /* untouched */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(methods_go_by_their_whole_name),
		cmocka_unit_test(a_weighted_difference_has_two_weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
