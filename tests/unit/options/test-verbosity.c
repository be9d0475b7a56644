/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/verbosity.h"

static void every_v_says_more(void **state)
{
	(void)state;
	struct verbosity_opts o = { 0 };

	assert_int_equal(PARSE(verbosity_options, &o, "-vv", "--verbose"), 0);
	assert_int_equal(o.verbose, 3);
	assert_false(o.quiet);
	assert_int_equal(PARSE(verbosity_options, &o, "--no-verbose", "-q"), 0);
	assert_int_equal(o.verbose, 0);
	assert_true(o.quiet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_v_says_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
