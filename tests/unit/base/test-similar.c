/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/similar.h"

static void distance_counts_edits(void **state)
{
	(void)state;
	assert_int_equal(similar_distance("", ""), 0);
	assert_int_equal(similar_distance("stat", "stat"), 0);
	assert_int_equal(similar_distance("state", "stat"), 1);
	assert_int_equal(similar_distance("", "stat"), 4);
	assert_int_equal(similar_distance("stat", ""), 4);
	assert_int_equal(similar_distance("cycels", "cycles"), 1); /* neighbours swapped */
	assert_int_equal(similar_distance("kitten", "sitting"), 3);
}

static void distance_ignores_case(void **state)
{
	(void)state;
	assert_int_equal(similar_distance("L1-DCACHE", "l1-dcache"), 0);
}

static void names_of_any_length_are_compared(void **state)
{
	char a[500], b[500];

	(void)state;
	memset(a, 'a', sizeof(a));
	memset(b, 'b', sizeof(b));
	a[499] = b[499] = '\0';
	assert_true(similar_distance(a, b) > 0);
	assert_int_equal(similar_distance(a, a), 0);
}

static struct similar rank(const char *typed, const char *const *names, size_t n)
{
	struct similar s = { .typed = typed };

	for (size_t i = 0; i < n; i++)
		similar_add(&s, names[i]);
	return s;
}

static void the_nearest_comes_first_and_the_distant_not_at_all(void **state)
{
	static const char *const names[] = { "record", "start", "stat", "buildid-cache", "status" };
	struct similar s = rank("state", names, ARRAY_SIZE(names));
	_cleanup_(freep) char *phrase = similar_phrase(&s);

	(void)state;
	assert_string_equal(phrase, "'stat', 'start' or 'status'");
}

static void equally_near_names_keep_their_order(void **state)
{
	static const char *const names[] = { "ab", "ac", "ad" };
	struct similar s = rank("aa", names, ARRAY_SIZE(names));
	_cleanup_(freep) char *phrase = similar_phrase(&s);

	(void)state;
	assert_string_equal(phrase, "'ab', 'ac' or 'ad'");
}

static void only_the_best_few_remain(void **state)
{
	static const char *const names[] = { "xbcdef", "axcdef", "abxdef", "abcxef",
					     "abcdxf", "abcdex", "abcdef" };
	struct similar s = rank("abcdef", names, ARRAY_SIZE(names));

	(void)state;
	assert_int_equal(s.n, SIMILAR_MAX);
	assert_string_equal(s.best[0].name, "abcdef");
	assert_string_equal(s.best[1].name, "xbcdef");
	assert_string_equal(s.best[4].name, "abcxef");
}

static void nothing_near_is_no_phrase(void **state)
{
	static const char *const names[] = { "record", "report" };
	struct similar s = rank("zzz", names, ARRAY_SIZE(names));

	(void)state;
	assert_null(similar_phrase(&s));
}

static void one_name_stands_alone(void **state)
{
	static const char *const names[] = { "stat" };
	struct similar s = rank("stta", names, ARRAY_SIZE(names));
	_cleanup_(freep) char *phrase = similar_phrase(&s);

	(void)state;
	assert_string_equal(phrase, "'stat'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distance_counts_edits),
		cmocka_unit_test(distance_ignores_case),
		cmocka_unit_test(names_of_any_length_are_compared),
		cmocka_unit_test(the_nearest_comes_first_and_the_distant_not_at_all),
		cmocka_unit_test(equally_near_names_keep_their_order),
		cmocka_unit_test(only_the_best_few_remain),
		cmocka_unit_test(nothing_near_is_no_phrase),
		cmocka_unit_test(one_name_stands_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
