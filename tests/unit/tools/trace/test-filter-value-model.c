/* SPDX-License-Identifier: MIT */
#include "example-filter.h"

static const char *const calls[] = { "openat", "read", "kill", "getpid", NULL };

static void assert_refused(const char *text, const char *marked, const char *message,
			   const char *hint)
{
	assert_filter_refused(calls, text, marked, message, hint);
}

static void assert_taken(const char *text)
{
	_cleanup_(trace_filter_freep) struct trace_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct example_scope s;

	example_scope(&s, calls);
	if (trace_filter_parse(text, &s.scope, &f, &diag) < 0)
		fail_msg("'%s': %s", text, diag.message);
}

static void numbers_are_decimal_hexadecimal_or_octal(void **state)
{
	(void)state;
	assert_taken("count == 18446744073709551615");
	assert_taken("count == 0xFFFF");
	assert_taken("fd == -5");
	assert_refused("count == 18446744073709551616", "18446744073709551616", "is not a number",
		       NULL);
	assert_refused("count == 12ab", "12ab", "is not a number", NULL);
	assert_refused("count == 1.5", "1.5", "is not a number", NULL);
	assert_refused("count == 09", "09", "is not a number", NULL);
	assert_refused("count == -", "-", "a value is expected", NULL);
	assert_refused("count == ,", "", "a value is expected", NULL);
}

static void names_must_mean_something_for_the_argument(void **state)
{
	(void)state;
	assert_refused("flags & CRAT", "CRAT", "'CRAT' is not a value of 'flags'", "'CREAT'");
	assert_refused("flags & CREAT|NONSENSE", "NONSENSE", "is not a value of 'flags'", NULL);
	assert_refused("count == CREAT", "CREAT", "is not a value of 'count'", "write a number");
	assert_refused("ret == -ENOENTT", "-ENOENTT", "is not a value of 'ret'", "'ENOENT'");
	assert_refused("ret == ENOENT", "ENOENT", "write -ENOENT", NULL);
	assert_refused("tid == ENOENT", "ENOENT", "is not a value of 'tid'", NULL);
	assert_refused("flags & CREAT|", "", "a value is expected", NULL);
	assert_refused("flags & 1|2|3|4|5|6|7|8|9|1|2|3|4|5|6|7|8|9|1|2|3|4|5|6|7|8|9|1|2|3|4|5|6",
		       "", "too many values", NULL);
}

static void text_stands_in_quotes_and_numbers_do_not(void **state)
{
	(void)state;
	assert_taken("filename == \"\"");
	assert_refused("filename == \"abc", "\"abc", "the closing \" is missing", NULL);
	assert_refused("filename ~ abc && fd == 1", "abc", "~ compares with text in quotes", NULL);
	assert_refused("filename < 'a'", "'a'", "text takes ==, != and ~ only", NULL);
	assert_refused("count == '5'", "'5'", "'count' is a number", NULL);
	assert_refused("ret == '5'", "'5'", "'ret' is a number", NULL);
	assert_refused("comm == nginx", "nginx", "'comm' is text", NULL);
}

static void durations_have_units(void **state)
{
	(void)state;
	assert_taken("duration > 10 && duration < 1.5s");
	assert_refused("duration > 10m", "10m", "a duration is expected", NULL);
	assert_refused("duration > 1.2.3", "1.2.3", "a duration is expected", NULL);
	assert_refused("duration > fast", "fast", "a duration is expected", NULL);
	assert_refused("duration > -1", "", "a duration is expected", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_decimal_hexadecimal_or_octal),
		cmocka_unit_test(names_must_mean_something_for_the_argument),
		cmocka_unit_test(text_stands_in_quotes_and_numbers_do_not),
		cmocka_unit_test(durations_have_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
