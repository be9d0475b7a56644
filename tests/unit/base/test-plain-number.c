/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/plain-number.h"
#include "base/text.h"

static void assert_written(double x, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	plain_number_add(&t, x);
	assert_string_equal(t.chars, wanted);
	assert_true(strtod(t.chars, NULL) == x);
}

static void the_shortest_decimal_that_reads_back_is_written(void **state)
{
	(void)state;
	assert_written(0, "0");
	assert_written(-3, "-3");
	assert_written(0.1, "0.1");
	assert_written(0.1 + 0.2, "0.30000000000000004");
	assert_written(1e22, "1e+22");
	assert_written(123456789012, "123456789012");
	assert_written(DBL_MAX, "1.7976931348623157e+308");
	assert_written(DBL_TRUE_MIN, "4.94065645841247e-324");
}

static void the_locale_of_before_comes_back(void **state)
{
	locale_t before = uselocale((locale_t)0);

	(void)state;
	{
		PLAIN_NUMBERS_IN_SCOPE;

		assert_true(usual_ == before);
		assert_string_equal(localeconv()->decimal_point, ".");
	}
	assert_true(uselocale((locale_t)0) == before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_shortest_decimal_that_reads_back_is_written),
		cmocka_unit_test(the_locale_of_before_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
