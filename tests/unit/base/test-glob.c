/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/glob.h"

static void a_pattern_is_the_whole_text(void **state)
{
	(void)state;
	assert_true(glob_matches("", ""));
	assert_true(glob_matches("foo", "foo"));
	assert_false(glob_matches("foo", "foob"));
	assert_false(glob_matches("foo", "fo"));
	assert_false(glob_matches("foo", "Foo"));
	assert_false(glob_matches("", "f"));
}

static void stars_and_question_marks_stand_for_anything(void **state)
{
	(void)state;
	assert_true(glob_matches("*", ""));
	assert_true(glob_matches("**", "ab"));
	assert_true(glob_matches("f?o", "fxo"));
	assert_false(glob_matches("f?o", "fo"));
	assert_true(glob_matches("*b*d", "abcbd"));
	assert_true(glob_matches("a*ab", "aabab"));
	assert_false(glob_matches("a*b?", "acb"));
}

static void classes_have_ranges_and_negation(void **state)
{
	(void)state;
	assert_true(glob_matches("[a-cx]oo", "boo"));
	assert_true(glob_matches("[a-cx]oo", "xoo"));
	assert_false(glob_matches("[a-cx]oo", "doo"));
	assert_true(glob_matches("[!a-c]oo", "doo"));
	assert_false(glob_matches("[!a-c]oo", "aoo"));
	assert_true(glob_matches("[]a]", "]"));
	assert_true(glob_matches("[a-]", "-"));
	assert_true(glob_matches("[a\\-z]", "-"));
	assert_false(glob_matches("[a\\-z]", "m"));
}

/* Linux's perf takes ^ for itself in a class, too. */
static void a_caret_negates_nothing(void **state)
{
	(void)state;
	assert_true(glob_matches("[^f]*", "foo"));
	assert_true(glob_matches("[^f]*", "^oo"));
	assert_false(glob_matches("[^f]*", "bar"));
}

static void a_class_that_never_ends_is_a_bracket(void **state)
{
	(void)state;
	assert_true(glob_matches("[f", "[f"));
	assert_false(glob_matches("[f", "f"));
	assert_true(glob_matches("[a\\", "[a\\"));
}

static void a_backslash_takes_the_meaning_away(void **state)
{
	(void)state;
	assert_true(glob_matches("a\\*", "a*"));
	assert_false(glob_matches("a\\*", "ab"));
	assert_true(glob_matches("a\\", "a\\"));
}

static void loosely_blanks_do_not_count(void **state)
{
	(void)state;
	assert_true(glob_matches_loosely("a=*", "\ta = b;"));
	assert_true(glob_matches_loosely("a = *", "a=b"));
	assert_true(glob_matches_loosely("*b ", "a b"));
	assert_true(glob_matches_loosely("?b", "a  b"));
	assert_false(glob_matches_loosely("a=", "a = b"));
	assert_false(glob_matches("a=*", "a = b"));
}

static void in_any_case_letters_are_alike(void **state)
{
	(void)state;
	assert_true(glob_matches_any_case("L1-*[A-M]oad", "l1-dcache-LOAD"));
	assert_true(glob_matches_any_case("\\Ab", "aB"));
	assert_false(glob_matches_any_case("[!A]", "a"));
	assert_false(glob_matches_any_case("[", "{"));
	assert_false(glob_matches_any_case("ab", "abc"));
}

/* A matcher that tries every combination would not finish. */
static void many_stars_take_no_longer(void **state)
{
	char text[2001];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

static void what_has_a_sign_is_a_pattern(void **state)
{
	(void)state;
	assert_true(glob_is_pattern("a*"));
	assert_true(glob_is_pattern("[a]"));
	assert_false(glob_is_pattern("a.b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_is_the_whole_text),
		cmocka_unit_test(stars_and_question_marks_stand_for_anything),
		cmocka_unit_test(classes_have_ranges_and_negation),
		cmocka_unit_test(a_caret_negates_nothing),
		cmocka_unit_test(a_class_that_never_ends_is_a_bracket),
		cmocka_unit_test(a_backslash_takes_the_meaning_away),
		cmocka_unit_test(loosely_blanks_do_not_count),
		cmocka_unit_test(in_any_case_letters_are_alike),
		cmocka_unit_test(many_stars_take_no_longer),
		cmocka_unit_test(what_has_a_sign_is_a_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
