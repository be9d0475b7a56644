/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/test/plan-work.h"
#include "tools/test/select-work.h"

static enum selftest_outcome ok(struct selftest_run *t)
{
	(void)t;
	return SELFTEST_OK;
}

static const struct selftest_case colours[] = { { "red", ok }, { "green", ok }, { NULL, NULL } };
static const struct selftest first = { .name = "Parse events", .run = ok };
static const struct selftest second = { .name = "Colours", .cases = colours };
static const struct selftest third = { .name = "time utils", .run = ok };
static const struct selftest *const three[] = { &first, &second, &third, NULL };

/*
 * Returns the rows that a word selects of the four (1, 2.1, 2.2, 3), as digits; -1: it is refused.
 */
static int selected(const char *word)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	char *words[] = { (char *)word, NULL };
	int result = 0;

	selftest_plan_add(&p, three);
	assert_int_equal(p.rows.n, 4);
	if (selftest_select(&p, words, &d) < 0) {
		assert_non_null(d.message);
		assert_non_null(d.hint);
		return -1;
	}
	for (int i = 0; i < 4; i++)
		result = result * 10 + p.rows.items[i].selected;
	return result;
}

static void numbers_and_ranges_select_suites_and_cases(void **state)
{
	(void)state;
	assert_int_equal(selected("1"), 1000);
	assert_int_equal(selected("2"), 110);
	assert_int_equal(selected("2.2"), 10);
	assert_int_equal(selected("2-3"), 111);
	assert_int_equal(selected("1-3"), 1111);
	assert_int_equal(selected(NULL), 1111);
}

static void a_part_of_a_name_selects_in_either_case_of_letters(void **state)
{
	(void)state;
	assert_int_equal(selected("PARSE"), 1000);
	assert_int_equal(selected("colo"), 110);
	assert_int_equal(selected("green"), 10);
	assert_int_equal(selected("util"), 1);
	assert_int_equal(selected("e"), 1111);
}

static void what_means_nothing_is_refused(void **state)
{
	static const char *const words[] = { "",      "0",         "4",           "2.3",
					     "2.",    ".1",        "3-2",         "1-",
					     "1-2.1", "nosuch",    "99999999999", "-1",
					     "1.1.1", "4294967297" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		assert_int_equal(selected(words[i]), -1);
}

static void a_list_passes_over_with_commas_between(void **state)
{
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	selftest_plan_add(&p, three);
	assert_int_equal(selftest_pass_over(&p, "1,2.2", &d), 0);
	assert_true(p.rows.items[0].passed_over);
	assert_false(p.rows.items[1].passed_over);
	assert_true(p.rows.items[2].passed_over);
	assert_int_equal(selftest_pass_over(&p, "1,,2", &d), -ENOENT);
	assert_int_equal(selftest_pass_over(&p, "", &d), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_ranges_select_suites_and_cases),
		cmocka_unit_test(a_part_of_a_name_selects_in_either_case_of_letters),
		cmocka_unit_test(what_means_nothing_is_refused),
		cmocka_unit_test(a_list_passes_over_with_commas_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
