/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void literals_and_conversions_alternate(void **state)
{
	(void)state;
	assert_text("`plain`", "plain");
	assert_text("`%d%d`, 1, 2", "12");
	assert_text("`a%db%dc`, 1, 2", "a1b2c");
	assert_text("``", "");
	assert_text("`a rather long literal before %d and after`, 1",
		    "a rather long literal before 1 and after");
}

static void percent_and_letters_that_are_no_conversion_are_text(void **state)
{
	(void)state;
	assert_text("`%%|100%%|%d%%`, 5", "%|100%|5%");
	assert_text("`%e|%d`, 3", ">e<|3");
	assert_text("`%ll`", "");
	assert_text("`%`", "");
}

static void arguments_that_are_left_over_are_fine(void **state)
{
	(void)state;
	assert_text("`%d|`, 1, REC->b", "1|");
}

static void what_is_no_print_fmt_is_refused(void **state)
{
	(void)state;
	assert_refused("", "begin with a string");
	assert_refused("REC->i", "begin with a string");
	assert_refused("`%d`", "no argument");
	assert_refused("`%d %d`, 1", "no argument");
	assert_refused("`%d`,", "a value");
	assert_refused("`%*d`, 1", "no argument");
}

static void a_flood_of_conversions_is_refused(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text flood = TEXT_EMPTY;

	text_add(&flood, "`");
	for (int i = 0; i < 5000; i++)
		text_add(&flood, "%%");
	text_add(&flood, "`");
	assert_refused(flood.chars, "too many");
}

static void widths_have_a_limit(void **state)
{
	(void)state;
	_cleanup_(freep) char *wide = text_of("`%99999999999d|%*d`, 1, 2000000000, 1");

	assert_int_equal(strlen(wide), 4096 + 1 + 4096);
}

static void longs_are_as_wide_as_the_machine_says(void **state)
{
	(void)state;
	static const char format[] =
		"\tfield:long x;\toffset:0;\tsize:4;\tsigned:1;\n"
		"\tfield:unsigned long y[2];\toffset:4;\tsize:8;\tsigned:0;\n"
		"print fmt: \"%ld %lx %lx %d\", REC->x, (unsigned long)REC->x, REC->y[1], "
		"sizeof(long)\n";
	static const uint8_t record[] = { 0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 2, 0, 0, 0 };
	const struct tracepoint_machine m = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(format, &f, &diag), 0);

	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = tracepoint_plan_new(f, 4);

	tracepoint_plan_print(p, &m, record, sizeof(record), &out);
	assert_string_equal(out.chars, "-2 fffffffe 2 4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literals_and_conversions_alternate),
		cmocka_unit_test(percent_and_letters_that_are_no_conversion_are_text),
		cmocka_unit_test(arguments_that_are_left_over_are_fine),
		cmocka_unit_test(what_is_no_print_fmt_is_refused),
		cmocka_unit_test(a_flood_of_conversions_is_refused),
		cmocka_unit_test(widths_have_a_limit),
		cmocka_unit_test(longs_are_as_wide_as_the_machine_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
