/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void fields_are_printed_by_their_types(void **state)
{
	(void)state;
	assert_text("bad(",
		    "[FAILED TO PARSE] i=-5 u=4294967280 l=-7 ul=0xdeadbeefcafe h=-3 b=200 yes=1 "
		    "s=hi p=0xffff800012345678 name=hello words=ARRAY[01, 00, 00, 00, 02, 00, 00, "
		    "00, ff, ff, ff, ff] mac=RT shorts=ARRAY[01, 00, 02, 00, 03, 00, ff, ff] "
		    "ip6=ARRAY[20, 01, 0d, b8, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 01] "
		    "near=rel rel=ARRAY[0a, 00, 14, 00, ff, ff] full=abcd ip4=ARRAY[c0, 00, 02, "
		    "01] dev=265289735 sa=0 none= rest=hello");
}

static void a_record_that_ends_early_says_so(void **state)
{
	(void)state;
	const struct tracepoint_machine m = { 0 };

	for (size_t size = 0; size < 160; size++) {
		_cleanup_(freep) char *text = text_of_bytes("bad(", &m, plan_record, size);

		assert_int_equal(strncmp(text, "[FAILED TO PARSE] i=", 20), 0);
		assert_non_null(strstr(text, " [TRUNCATED]"));
	}
}

static void fields_can_be_asked_for_one_by_one(void **state)
{
	static const char *const texts[][2] = {
		{ "common_pid", "77" },
		{ "i", "-5" },
		{ "ul", "0xdeadbeefcafe" },
		{ "name", "hello" },
		{ "ip4", "ARRAY[c0, 00, 02, 01]" },
	};
	const struct tracepoint_machine m = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = format_of("`x`");
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = tracepoint_plan_new(f, 8);

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		_cleanup_(text_done) struct text out = TEXT_EMPTY;

		tracepoint_plan_print_field(p, &m, tracepoint_field_find(f, texts[i][0]),
					    plan_record, sizeof(plan_record), &out);
		assert_string_equal(out.chars, texts[i][1]);
	}
}

static void all_fields_can_be_listed_whatever_the_print_fmt(void **state)
{
	const struct tracepoint_machine m = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = format_of("`x`");
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = tracepoint_plan_new(f, 8);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	tracepoint_plan_print_fields(p, &m, plan_record, sizeof(plan_record), &out);
	assert_int_equal(strncmp(out.chars, " i=-5 u=4294967280 l=-7 ", 24), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_printed_by_their_types),
		cmocka_unit_test(a_record_that_ends_early_says_so),
		cmocka_unit_test(fields_can_be_asked_for_one_by_one),
		cmocka_unit_test(all_fields_can_be_listed_whatever_the_print_fmt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
