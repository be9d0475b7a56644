/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/filter.h"

static void samples_are_chosen_in_many_ways(void **state)
{
	(void)state;
	_cleanup_(filter_request_done) struct filter_request o = { 0 };

	assert_int_equal(PARSE(filter_options, &o, "-C0", "--pid=1", "--tid=2,3", "-c", "a,b", "-S",
			       "f", "--time", "1,", "--switch-on", "e"),
			 0);
	assert_int_equal(o.cpus.n, 1);
	assert_int_equal(o.pids.n, 1);
	assert_int_equal(o.tids.n, 2);
	assert_string_equal(o.comms, "a,b");
	assert_string_equal(o.symbols, "f");
	assert_int_equal(o.time.n, 1);
	assert_string_equal(o.switch_on, "e");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_chosen_in_many_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
