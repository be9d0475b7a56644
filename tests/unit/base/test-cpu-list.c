/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"

/* Checks that @text parses to a list that is printed as @back. */
static void assert_reads(const char *text, const char *back)
{
	_cleanup_(cpu_list_done) struct cpu_list l = { 0 };

	assert_int_equal(cpu_list_parse(text, &l), 0);

	_cleanup_(freep) char *printed = cpu_list_format(&l);

	assert_string_equal(printed, back);
}

static void assert_refused(const char *text, int error)
{
	struct cpu_list l = { .n = 7 };

	assert_int_equal(cpu_list_parse(text, &l), error);
	assert_int_equal(l.n, 7);
}

static void single_numbers_and_ranges_are_read(void **state)
{
	(void)state;
	assert_reads("0", "0");
	assert_reads("0-3,5,8-9", "0-3,5,8-9");
	assert_reads("65535", "65535");
	assert_reads("007", "7");
}

static void the_empty_text_is_the_empty_set(void **state)
{
	(void)state;
	assert_reads("", "");
}

static void overlap_and_order_do_not_matter(void **state)
{
	(void)state;
	assert_reads("5,0-3,2,4,5", "0-5");
	assert_reads("3,1", "1,3");
}

static void two_neighbours_are_printed_as_a_range(void **state)
{
	(void)state;
	assert_reads("1,2", "1-2");
}

static void a_range_that_runs_backwards_is_refused(void **state)
{
	(void)state;
	assert_refused("3-1", -ERANGE);
}

static void a_cpu_beyond_any_machine_is_refused(void **state)
{
	(void)state;
	assert_refused("65536", -ERANGE);
	assert_refused("0-65536", -ERANGE);
	assert_refused("99999999999999999999999", -ERANGE);
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const texts[] = { ",", "1,", ",1", "1,,2", "-1",    "1-",  "1--2",
					     "a", "1 ", " 1", "+1",   "1-2-3", "0x1", "1.5" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_refused(texts[i], -EINVAL);
}

static void many_overlapping_ranges_stay_small(void **state)
{
	_cleanup_(freep) char *text = xmalloc(100 * strlen("0-65535,"));
	_cleanup_(cpu_list_done) struct cpu_list l = { 0 };

	(void)state;
	text[0] = '\0';
	for (int i = 0; i < 60; i++)
		strcat(text, i ? ",0-65535" : "0-65535");
	assert_int_equal(cpu_list_parse(text, &l), 0);
	assert_int_equal(l.n, 65536);
	assert_true(l.room < 8 * CPU_MAX * 2);
}

static void membership_is_told(void **state)
{
	_cleanup_(cpu_list_done) struct cpu_list l = { 0 };

	(void)state;
	assert_false(cpu_list_contains(&l, 0));
	assert_int_equal(cpu_list_parse("1,4-6", &l), 0);
	assert_true(cpu_list_contains(&l, 1));
	assert_true(cpu_list_contains(&l, 5));
	assert_false(cpu_list_contains(&l, 0));
	assert_false(cpu_list_contains(&l, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_numbers_and_ranges_are_read),
		cmocka_unit_test(the_empty_text_is_the_empty_set),
		cmocka_unit_test(overlap_and_order_do_not_matter),
		cmocka_unit_test(two_neighbours_are_printed_as_a_range),
		cmocka_unit_test(a_range_that_runs_backwards_is_refused),
		cmocka_unit_test(a_cpu_beyond_any_machine_is_refused),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(many_overlapping_ranges_stay_small),
		cmocka_unit_test(membership_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
