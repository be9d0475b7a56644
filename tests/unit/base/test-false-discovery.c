/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/false-discovery.h"

/* The 15 values of Benjamini and Hochberg's example: four are discoveries at 0.05. */
static void the_example_of_the_paper_has_four_discoveries(void **state)
{
	(void)state;
	double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
		       0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000 };

	false_discovery_correct(p, ARRAY_SIZE(p));
	assert_float_equal(p[0], 0.0015, 1e-9);
	assert_float_equal(p[3], 0.0095 * 15 / 4, 1e-9);
	assert_float_equal(p[14], 1, 0);
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		assert_int_equal(p[i] < 0.05, i < 4);
}

static void values_stay_in_their_places_and_equal_ones_stay_equal(void **state)
{
	(void)state;
	double p[] = { 0.5, 0.01, 0.5, 0.01 };

	false_discovery_correct(p, ARRAY_SIZE(p));
	assert_float_equal(p[0], 0.5, 1e-12);
	assert_float_equal(p[1], 0.02, 1e-12);
	assert_float_equal(p[2], 0.5, 1e-12);
	assert_float_equal(p[3], 0.02, 1e-12);
}

/*
 * The formula alone may give a larger p-value a smaller correction than a smaller one has: the
 * least of them counts.
 */
static void a_larger_value_never_gets_a_smaller_correction(void **state)
{
	(void)state;
	double p[] = { 0.04, 0.041 };

	false_discovery_correct(p, ARRAY_SIZE(p));
	assert_float_equal(p[0], 0.041, 1e-12);
	assert_float_equal(p[1], 0.041, 1e-12);
}

static void one_test_needs_no_correction_and_none_is_fine(void **state)
{
	(void)state;
	double p = 0.03;

	false_discovery_correct(&p, 1);
	assert_float_equal(p, 0.03, 0);
	false_discovery_correct(&p, 0);
	assert_float_equal(p, 0.03, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_of_the_paper_has_four_discoveries),
		cmocka_unit_test(values_stay_in_their_places_and_equal_ones_stay_equal),
		cmocka_unit_test(a_larger_value_never_gets_a_smaller_correction),
		cmocka_unit_test(one_test_needs_no_correction_and_none_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
