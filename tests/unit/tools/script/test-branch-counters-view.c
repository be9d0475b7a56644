/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "tools/script/writer-view.h"

static void assert_width(const char *value, unsigned width)
{
	struct pmu_cap caps[] = { { (char *)"branches", (char *)"32" },
				  { (char *)"branch_counter_width", (char *)value } };
	struct pmu_caps other = { .caps = { .items = caps, .n = ARRAY_SIZE(caps) } };
	struct features f = { 0 };

	f.cpu_pmu_caps = other;
	assert_int_equal(branch_counter_width(&f), width);
	/* The machine has several kinds of cores. */
	f.cpu_pmu_caps.caps.n = 0;
	f.pmu_caps.items = &other;
	f.pmu_caps.n = 1;
	assert_int_equal(branch_counter_width(&f), width);
}

static void the_width_is_a_capability(void **state)
{
	struct features none = { 0 };

	(void)state;
	assert_width("2", 2);
	assert_width("8", 8);
	assert_int_equal(branch_counter_width(&none), 0);
}

static void a_width_that_cannot_be_is_not_known(void **state)
{
	(void)state;
	assert_width("", 0);
	assert_width("x", 0);
	assert_width("9", 0);
	assert_width("64", 0);
	assert_width("99999999999999999999999", 0);
	assert_width("-1", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_width_is_a_capability),
		cmocka_unit_test(a_width_that_cannot_be_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
