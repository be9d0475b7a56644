/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/table.h"

struct opts {
	enum percentage percentage;
	const char *separator;
};

static const struct option table[] = { OPT_CALL(0, "percentage", struct opts, percentage,
						"relative|absolute", "shares",
						.set = percentage_set),
				       OPT_CALL('t', "field-separator", struct opts, separator,
						"separator", "columns", .set = separator_set),
				       OPT_END };

static void shares_are_of_all_or_of_what_is_left(void **state)
{
	struct opts o = { 0 };

	(void)state;
	assert_int_equal(PARSE(table, &o, "--percentage", "relative"), 0);
	assert_int_equal(o.percentage, PERCENTAGE_RELATIVE);
	assert_int_equal(PARSE(table, &o, "--percentage", "absolute"), 0);
	assert_int_equal(o.percentage, PERCENTAGE_ABSOLUTE);
	assert_int_equal(PARSE(table, &o, "--percentage", "both"), -EINVAL);
	assert_true(says("neither relative nor absolute"));
	assert_int_equal(PARSE(table, &o, "--no-percentage"), 0);
	assert_int_equal(o.percentage, PERCENTAGE_DEFAULT);
}

static void a_point_cannot_separate_columns(void **state)
{
	struct opts o = { 0 };

	(void)state;
	assert_int_equal(PARSE(table, &o, "-t", ";"), 0);
	assert_string_equal(o.separator, ";");
	assert_int_equal(PARSE(table, &o, "-t", "."), -EINVAL);
	assert_string_equal(o.separator, ";");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_all_or_of_what_is_left),
		cmocka_unit_test(a_point_cannot_separate_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
