/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/folded-line.h"

static void count_is(const char *line, uint64_t count, const char *rest)
{
	size_t n = strlen(line);
	uint64_t got;

	assert_true(folded_take_count(line, &n, &got));
	assert_int_equal(got, count);
	assert_int_equal(n, strlen(rest));
	assert_memory_equal(line, rest, n);
}

static void the_last_word_is_the_count(void **state)
{
	(void)state;
	count_is("a;b 3", 3, "a;b");
	count_is("a b \t 12", 12, "a b");
	count_is("a 18446744073709551615", UINT64_MAX, "a");
}

static void decimals_are_rounded(void **state)
{
	(void)state;
	count_is("a 1.4", 1, "a");
	count_is("a 1.5", 2, "a");
}

static void what_is_no_count_is_refused(void **state)
{
	static const char *const lines[] = { "",
					     "a",
					     "3",
					     " 3",
					     "a b",
					     "a -3",
					     "a 3x",
					     "a 1.",
					     "a .5",
					     "a 1.x",
					     "a 18446744073709551616" };
	uint64_t count;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		size_t n = strlen(lines[i]);

		assert_false(folded_take_count(lines[i], &n, &count));
	}
}

static void frames_without_a_name_are_passed_over(void **state)
{
	const char *s = ";;a;;bc;", *end = s + strlen(s);
	size_t n;

	(void)state;
	assert_memory_equal(folded_next_frame(&s, end, &n), "a", 1);
	assert_int_equal(n, 1);
	assert_memory_equal(folded_next_frame(&s, end, &n), "bc", 2);
	assert_int_equal(n, 2);
	assert_null(folded_next_frame(&s, end, &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_word_is_the_count),
		cmocka_unit_test(decimals_are_rounded),
		cmocka_unit_test(what_is_no_count_is_refused),
		cmocka_unit_test(frames_without_a_name_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
