/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include <time.h>

#include "tools/record/sample.h"

static void clocks_have_names_and_numbers(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int id;
	} clocks[] = {
		{ "mono", CLOCK_MONOTONIC },
		{ "CLOCK_MONOTONIC", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "clock_realtime", CLOCK_REALTIME },
		{ "Boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
		{ "4", 4 },
		{ "0x1", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		struct sample_request o = { 0 };

		assert_int_equal(PARSE(sample_options, &o, "-k", (char *)clocks[i].name), 0);
		assert_true(o.clock.given);
		assert_int_equal(o.clock.id, clocks[i].id);
	}
}

static void an_unknown_clock_is_told_with_the_known(void **state)
{
	(void)state;
	struct sample_request o = { 0 };

	assert_int_equal(PARSE(sample_options, &o, "-k", "bad"), -EINVAL);
	assert_true(says("there is no clock 'bad'"));
	assert_true(says("boottime"));
	assert_int_equal(PARSE(sample_options, &o, "-k", "-1"), -EINVAL);
	assert_int_equal(PARSE(sample_options, &o, "-k", ""), -EINVAL);
	assert_false(o.clock.given);
}

static void registers_are_all_or_some(void **state)
{
	(void)state;
	struct sample_request o = { 0 };

	assert_int_equal(PARSE(sample_options, &o, "-I", "true"), 0);
	assert_string_equal(o.intr_regs, "");
	assert_int_equal(parsed.argc, 1);
	assert_int_equal(PARSE(sample_options, &o, "-Iax,bx", "--user-regs=?"), 0);
	assert_string_equal(o.intr_regs, "ax,bx");
	assert_string_equal(o.user_regs, "?");
}

static void time_and_period_can_be_left_out(void **state)
{
	(void)state;
	struct sample_request o = { 0 };

	assert_int_equal(PARSE(sample_options, &o, "-TdW", "--no-period"), 0);
	assert_int_equal(o.timestamp, CHOICE_YES);
	assert_int_equal(o.period, CHOICE_NO);
	assert_true(o.data_addr && o.weight);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_have_names_and_numbers),
		cmocka_unit_test(an_unknown_clock_is_told_with_the_known),
		cmocka_unit_test(registers_are_all_or_some),
		cmocka_unit_test(time_and_period_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
