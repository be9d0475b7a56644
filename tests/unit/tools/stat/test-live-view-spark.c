/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/stat/live-view.h"

#define ASSERT_SPARK(wanted, width, ascii, ...)                                                    \
	do {                                                                                       \
		const double values[] = { __VA_ARGS__ };                                           \
                                                                                                   \
		assert_spark(values, ARRAY_SIZE(values), width, ascii, wanted);                    \
	} while (0)

static void assert_spark(const double *values, size_t n, size_t width, bool ascii,
			 const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	spark_add(&t, values, n, width, ascii);
	assert_string_equal(t.chars, wanted);
}

static void bars_go_from_nothing_to_the_greatest(void **state)
{
	(void)state;
	ASSERT_SPARK("▁▂▃▄▅▆▇█", 8, false, 0, 1, 2, 3, 4, 5, 6, 7);
	ASSERT_SPARK("_.-:=+*#", 8, true, 0, 1, 2, 3, 4, 5, 6, 7);
	/* A value above 0 always differs from 0 in the picture. */
	ASSERT_SPARK("▁▂█", 3, false, 0, 1e-9, 1e9);
	ASSERT_SPARK("▁▁", 2, false, 0, 0);
	ASSERT_SPARK("██", 2, false, 5, 5);
}

static void the_newest_is_at_the_end(void **state)
{
	(void)state;
	ASSERT_SPARK("   _#", 5, true, 0, 9);
	ASSERT_SPARK("_#", 2, true, 1000, 0, 9);
	assert_spark((const double[]){ 0 }, 0, 3, true, "   ");
}

static void values_below_nothing_move_the_foot(void **state)
{
	(void)state;
	ASSERT_SPARK("_:#", 3, true, -3, 0, 4);
}

static void what_is_no_number_is_a_blank(void **state)
{
	(void)state;
	ASSERT_SPARK("_ #", 3, true, 0, NAN, 1);
	ASSERT_SPARK("   ", 3, true, NAN, INFINITY, -INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_go_from_nothing_to_the_greatest),
		cmocka_unit_test(the_newest_is_at_the_end),
		cmocka_unit_test(values_below_nothing_move_the_foot),
		cmocka_unit_test(what_is_no_number_is_a_blank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
