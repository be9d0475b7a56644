/* SPDX-License-Identifier: MIT */
#include "cmd/parse.h"

#include "cmd/opt-input.h"

static void a_profile_may_be_standard_input(void **state)
{
	(void)state;
	struct input_opts o = { 0 };

	assert_int_equal(PARSE(input_options, &o, "-i", "-", "-f"), 0);
	assert_string_equal(o.path, "-");
	assert_true(o.force);
}

static void the_header_may_come_alone(void **state)
{
	(void)state;
	struct input_opts o = { 0 };

	assert_int_equal(PARSE(input_options, &o, "--header"), 0);
	assert_true(o.header && !o.header_only);
	assert_int_equal(PARSE(input_options, &o, "--header-only", "-ID"), 0);
	assert_true(o.header_only && o.show_info && o.dump_raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_may_be_standard_input),
		cmocka_unit_test(the_header_may_come_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
