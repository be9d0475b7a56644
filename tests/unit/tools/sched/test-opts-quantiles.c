/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include "tools/sched/opts.h"

static void a_histogram_has_quantiles_too(void **state)
{
	struct quantiles_opts o = { 0 };

	(void)state;
	assert_false(quantiles_wanted(&o));
	assert_int_equal(PARSE(quantiles_options, &o, "--histogram"), 0);
	assert_true(o.histogram);
	assert_true(quantiles_wanted(&o));
	assert_int_equal(PARSE(quantiles_options, &o, "--no-histogram", "--quantiles"), 0);
	assert_true(quantiles_wanted(&o));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_histogram_has_quantiles_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
