/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "options/sampling.h"

static void a_frequency_is_a_number_or_max(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(sampling_options, &o, "-F99"), 0);
	assert_int_equal(o.rate.kind, SAMPLING_FREQ);
	assert_int_equal(o.rate.number, 99);
	assert_int_equal(PARSE(sampling_options, &o, "-F", "max", "--strict-freq"), 0);
	assert_int_equal(o.rate.kind, SAMPLING_FREQ_MAX);
	assert_true(o.strict_freq);
}

static void no_samples_a_second_are_refused(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(sampling_options, &o, "-F", "0"), -EINVAL);
	assert_int_equal(PARSE(sampling_options, &o, "-F", "x"), -EINVAL);
	assert_int_equal(PARSE(sampling_options, &o, "-F", "-5"), -EINVAL);
	assert_int_equal(PARSE(sampling_options, &o, "-F", ""), -EINVAL);
	assert_true(says("max"));
	assert_int_equal(o.rate.kind, SAMPLING_DEFAULT);
}

static void a_period_is_a_number(void **state)
{
	(void)state;
	struct sampling_request o = { 0 };

	assert_int_equal(PARSE(sampling_options, &o, "-c", "0x10"), 0);
	assert_int_equal(o.rate.kind, SAMPLING_PERIOD);
	assert_int_equal(o.rate.number, 16);
	assert_int_equal(PARSE(sampling_options, &o, "-c", "1k"), -EINVAL);
}

static void frequency_and_period_exclude_each_other(void **state)
{
	(void)state;
	struct sampling_request a = { 0 }, b = { 0 }, c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(PARSE(sampling_options, &a, "-c1", "-F99"), 0);
	assert_int_equal(sampling_options_check(&a, &d), -EINVAL);
	assert_string_equal(d.message, "cannot set frequency and period at the same time");
	assert_int_equal(PARSE(sampling_options, &b, "-F99", "-c1"), 0);
	assert_int_equal(sampling_options_check(&b, &d), -EINVAL);
	assert_int_equal(PARSE(sampling_options, &c, "-F99", "--no-freq", "-c1"), 0);
	assert_int_equal(sampling_options_check(&c, &d), 0);
	assert_int_equal(c.rate.kind, SAMPLING_PERIOD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frequency_is_a_number_or_max),
		cmocka_unit_test(no_samples_a_second_are_refused),
		cmocka_unit_test(a_period_is_a_number),
		cmocka_unit_test(frequency_and_period_exclude_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
