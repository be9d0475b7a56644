/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/text.h"
#include "view/stat/metric.h"

static void every_format_has_its_digits(void **state)
{
	static const struct {
		enum stat_format format;
		double value;
		const char *text, *number;
	} cases[] = {
		{ STAT_FORMAT_NUMBER, 0.950123, "   0.950", "0.950" },
		{ STAT_FORMAT_RATIO, 1.5, "   1.50 ", "1.50" },
		{ STAT_FORMAT_PERCENT, 20, "  20.00%", "20.00" },
		{ STAT_FORMAT_SHARE, 5, "   5.000 %", "5.000" },
		{ STAT_FORMAT_TOPDOWN, -4, "    -4.0%", "-4.0" },
		{ STAT_FORMAT_WHOLE, 12, "      12", "12" },
		{ STAT_FORMAT_SMALL, 3, "   3", "3" },
		{ STAT_FORMAT_SHORT, 12.34, "    12.3", "12.3" },
		{ STAT_FORMAT_PLAIN, 0.15, "    0.15", "0.15" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct stat_metric m = { .value = cases[i].value, .format = cases[i].format };
		struct text value = TEXT_EMPTY, number = TEXT_EMPTY;

		stat_metric_add_value(&value, &m);
		stat_metric_add_number(&number, &m);
		assert_string_equal(value.chars, cases[i].text);
		assert_string_equal(number.chars, cases[i].number);
		text_done(&value);
		text_done(&number);
	}
}

static void what_is_no_number_is_not_known(void **state)
{
	(void)state;
	assert_true(stat_metric_is_known(&(struct stat_metric){ .known = true }));
	assert_false(stat_metric_is_known(&(struct stat_metric){ .value = 1 }));
	assert_false(stat_metric_is_known(&(struct stat_metric){ .known = true, .value = NAN }));
	assert_false(
		stat_metric_is_known(&(struct stat_metric){ .known = true, .value = INFINITY }));
}

static void levels_have_colours(void **state)
{
	(void)state;
	assert_string_equal(stat_metric_colour(STAT_LEVEL_NONE), "");
	assert_string_equal(stat_metric_colour(STAT_LEVEL_LOW), "\033[33m");
	assert_string_equal(stat_metric_colour(STAT_LEVEL_MIDDLE), "\033[35m");
	assert_string_equal(stat_metric_colour(STAT_LEVEL_HIGH), "\033[31m");
	assert_string_equal(stat_metric_colour(STAT_LEVEL_GOOD), "\033[32m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_has_its_digits),
		cmocka_unit_test(what_is_no_number_is_not_known),
		cmocka_unit_test(levels_have_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
