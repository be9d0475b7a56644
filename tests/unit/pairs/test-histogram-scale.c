/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "pairs/histogram.h"

static void bounds_stand_between_blanks_or_commas(void **state)
{
	struct histogram_scale s = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(
		histogram_scale_parse_bounds(&s, " -5 10,0x20  9223372036854775807 ", &diag), 0);
	assert_int_equal(s.kind, HISTOGRAM_GIVEN);
	assert_int_equal(s.given.n, 4);
	assert_int_equal(s.given.items[0], -5);
	assert_int_equal(s.given.items[1], 10);
	assert_int_equal(s.given.items[2], 32);
	assert_true(s.given.items[3] == INT64_MAX);
	histogram_scale_done(&s);
}

/* Checks that @text is refused, with @length characters at @offset marked. */
static void refused(const char *text, size_t offset, size_t length, const char *words)
{
	struct histogram_scale s = { .power = 7 };
	struct diag diag = { 0 };

	assert_int_equal(histogram_scale_parse_bounds(&s, text, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, words));
	assert_int_equal(diag.offset, offset);
	assert_int_equal(diag.length, length);
	assert_int_equal(s.power, 7);
	diag_done(&diag);
}

static void wrong_bounds_are_marked(void **state)
{
	(void)state;
	refused("1 x2 3", 2, 2, "not a number");
	refused("1 5 5", 4, 1, "not above");
	refused("10 -1", 3, 2, "not above");
	refused("9223372036854775808", 0, 19, "not a number");
	refused("-9223372036854775808 1", 0, 20, "nothing lies below");
	refused("", 0, 0, "no bounds");
	refused(" , ", 0, 0, "no bounds");
}

static void there_is_a_limit_of_bounds(void **state)
{
	struct text t = TEXT_EMPTY;
	struct histogram_scale s = { 0 };
	struct diag diag = { 0 };

	(void)state;
	for (int i = 0; i < HISTOGRAM_BOUNDS_MAX; i++)
		text_addf(&t, "%d ", i);
	assert_int_equal(histogram_scale_parse_bounds(&s, t.chars, &diag), 0);
	text_add(&t, "99999");
	assert_int_equal(histogram_scale_parse_bounds(&s, t.chars, &diag), -EINVAL);
	assert_int_equal(s.given.n, HISTOGRAM_BOUNDS_MAX);
	histogram_scale_done(&s);
	diag_done(&diag);
	text_done(&t);
}

static void steps_may_have_a_maximum(void **state)
{
	struct histogram_scale s = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(histogram_scale_parse_steps(&s, "100", &diag), 0);
	assert_int_equal(s.step, 100);
	assert_int_equal(histogram_scale_max(&s), 2000);
	assert_int_equal(histogram_scale_parse_steps(&s, "100,500", &diag), 0);
	assert_int_equal(histogram_scale_max(&s), 500);
}

static void wrong_steps_are_refused(void **state)
{
	static const char *const texts[] = { "",    "0",   "x",     "-1", "1,",
					     "1,0", "1,x", "1,2,3", ",5", "9223372036854775808" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct histogram_scale s = { .power = 7 };
		struct diag diag = { 0 };

		assert_int_equal(histogram_scale_parse_steps(&s, texts[i], &diag), -EINVAL);
		assert_int_equal(s.power, 7);
		assert_non_null(diag.message);
		diag_done(&diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_stand_between_blanks_or_commas),
		cmocka_unit_test(wrong_bounds_are_marked),
		cmocka_unit_test(there_is_a_limit_of_bounds),
		cmocka_unit_test(steps_may_have_a_maximum),
		cmocka_unit_test(wrong_steps_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
