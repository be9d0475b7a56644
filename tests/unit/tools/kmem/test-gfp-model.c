/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "tools/kmem/gfp-model.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

#define FORMAT(field, text) "name: mm_page_alloc\nID: 1\nformat:\n" field "\nprint fmt: " text "\n"
#define FIELD               "\tfield:unsigned long gfp_flags;\toffset:24;\tsize:8;\tsigned:0;\n"
#define TEXT                                                                                       \
	"\"gfp_flags=%s x=%d\", REC->gfp_flags ? __print_flags(REC->gfp_flags, \"|\", {0xcc0, "    \
	"\"GFP_KERNEL\"}, {0x100, \"__GFP_ZERO\"}, {0x200, \"__GFP_NEW\"}) : \"none\", 1"

static void assert_name(const char *format, uint64_t flags, const char *wanted)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *plan = NULL;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(format, &f, &diag), 0);
	plan = tracepoint_plan_new(f, 8);
	gfp_print(f, plan, flags, &out);
	assert_string_equal(out.chars, wanted);
}

static void the_print_fmt_names_flags(void **state)
{
	(void)state;
	assert_name(FORMAT(FIELD, TEXT), 0xdc0, "GFP_KERNEL|__GFP_ZERO");
	assert_name(FORMAT(FIELD, TEXT), 0, "none");
	assert_name(FORMAT(FIELD, TEXT), 0x1000, "0x1000");
}

static void without_names_there_is_a_number(void **state)
{
	(void)state;
	assert_name(FORMAT(FIELD, "\"order=%d\", 1"), 0xcc0, "0xcc0");
	assert_name(FORMAT("", TEXT), 0xcc0, "0xcc0");
	assert_name(FORMAT("\tfield:u64 gfp_flags;\toffset:300;\tsize:8;\tsigned:0;\n", TEXT),
		    0xcc0, "0xcc0");
}

static void assert_compact(const char *full, const char *wanted)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	gfp_print_compact(full, &out);
	assert_string_equal(out.chars, wanted);
}

static void short_names_leave_out_what_has_none(void **state)
{
	(void)state;
	assert_compact("GFP_KERNEL|__GFP_ZERO", "K|Z");
	assert_compact("GFP_KERNEL|__GFP_NEW|0x1000", "K");
	assert_compact("none", "none");
	assert_compact("__GFP_NEW", "__GFP_NEW");
	assert_compact("", "");
}

static void each_value_has_one_name(void **state)
{
	struct gfp_names g = { 0 };
	uint64_t flags[] = { 7, 3, 7, 5 };

	(void)state;
	gfp_names_make(&g, NULL, flags, 4);
	assert_int_equal(g.n, 3);
	assert_int_equal(g.items[0].flags, 3);
	assert_string_equal(gfp_names_compact(&g, 7), "0x7");
	assert_string_equal(gfp_names_compact(&g, 8), "");
	gfp_names_done(&g);
}

static void assert_made(const char *format, uint64_t flags, const char *wanted)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(gfp_names_done) struct gfp_names g = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse(format, &f, &diag), 0);
	gfp_names_make(&g, f, &flags, 1);
	assert_string_equal(g.items[0].full, wanted);
}

static void what_else_the_print_fmt_has_does_not_matter(void **state)
{
	(void)state;
	assert_made(FORMAT(FIELD,
			   "\"page=%p gfp_flags=%s\", strange(&REC->x, {), REC->gfp_flags ? "
			   "__print_flags(REC->gfp_flags, \"|\", {(unsigned long)((1) << 2), "
			   "\"A)\"}) : \"none\""),
		    4, "A)");
	assert_made(FORMAT(FIELD, "\"%s\", __print_flags(REC->gfp_flags, \"|\", {1, \"A\""), 1,
		    "0x1");
	assert_made(FORMAT(FIELD, "\"%s\", __print_flags("), 1, "0x1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_print_fmt_names_flags),
		cmocka_unit_test(without_names_there_is_a_number),
		cmocka_unit_test(short_names_leave_out_what_has_none),
		cmocka_unit_test(what_else_the_print_fmt_has_does_not_matter),
		cmocka_unit_test(each_value_has_one_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
