/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void operators_bind_as_in_c(void **state)
{
	(void)state;
	assert_text("`%d %d %d %d`, 1 + 2 * 3, 10 - 2 - 3, 100 / 5 / 2, 1 << 2 + 1", "7 5 10 8");
	assert_text("`%d %d %d %d`, 1 | 2 & 4, 5 & 3 == 3, (1 + 2) * 3, 7 ^ 2", "1 1 9 5");
	assert_text("`%d %d %d`, REC->b > 100 && REC->b < 300, 0 || REC->b, 1 == 1 ? 5 : 6",
		    "1 1 5");
	assert_text("`%d %d`, 0 ? 2 : 1 ? 4 : 5, 1 ? 0 ? 7 : 8 : 9", "4 8");
}

static void unary_operators_nest(void **state)
{
	(void)state;
	assert_text("`%d %x %d %d %d %d`, !REC->i, ~REC->b, -REC->b, - -5, +5, !!REC->b",
		    "0 ffffff37 -200 5 5 1");
}

static void numbers_have_the_types_of_their_spelling(void **state)
{
	(void)state;
	assert_text("`%d %d %x %lx %ld`, 010, 0x10, 0x10UL, 0x8000000000000000ULL, -1UL",
		    "8 16 10 8000000000000000 -1");
	assert_text("`%s %s`, -1 < 0u ? `less` : `more`, -1 < 0 ? `less` : `more`", "more less");
	assert_text("`%d %d %d`, 'A', '\\n', '\\x41'", "65 10 65");
}

static void constants_of_c_are_known(void **state)
{
	(void)state;
	assert_text("`%d %d %p`, true, false, NULL", "1 0 (nil)");
}

static void names_of_the_kernel_count_as_zero(void **state)
{
	(void)state;
	assert_text("`%d page=%p`, FOO + 3, (((struct page *)vmemmap_base) + (REC->b))",
		    "3 page=0xc8");
}

static void fields_are_found_whatever_brackets_surround_the_record(void **state)
{
	(void)state;
	assert_text("`%d %d %d`, (((REC->i))), (REC)->b, REC->common_pid", "-5 200 77");
}

static void elements_of_arrays_are_counted(void **state)
{
	(void)state;
	assert_text(
		"`%d %d %d %d`, REC->shorts[1], REC->shorts[3], REC->mac[0], REC->shorts[REC->yes]",
		"2 65535 82 2");
	assert_text("`%d %d`, *REC->shorts, REC->shorts[4]", "1 0");
	assert_text("`%d %d`, __get_str(name)[1], ((u32 *)__get_dynamic_array(words))[1]", "101 2");
}

static void a_block_has_variables(void **state)
{
	(void)state;
	assert_text("`%d`, ({ int x = (REC->b); int y = (128); ((x) < (y) ? (x) : (y)); })", "128");
	assert_text("`%d`, ({ int x = 1; ({ int x = 2; x; }) + x; })", "3");
}

static void the_gnu_choice_without_a_middle_is_known(void **state)
{
	(void)state;
	assert_text("`%d %d`, REC->b ?: 4, 0 ?: 4", "200 4");
}

static void strings_are_joined_and_unquoted(void **state)
{
	(void)state;
	assert_text("`a` `b` `%s`, `c` `d`", "abcd");
	assert_text("`\\n\\t\\\\\\`\\x41\\101`", "\n\t\\\"AA");
}

static void what_is_not_an_expression_is_refused(void **state)
{
	(void)state;
	assert_refused("`%d`, REC->nope", "no field nope");
	assert_refused("`%d`, (1", "ends where )");
	assert_refused("`%d`, 1 +", "a value");
	assert_refused("`%d`, REC->", "field of REC");
	assert_refused("`%d`, REC->i->x", "field of REC");
	assert_refused("`%d`, 1 2", "follows");
	assert_refused("`%d`, 12abc", "number");
	assert_refused("`%d`, 99999999999999999999", "number");
	assert_refused("`%d`, foo(3)", "function foo");
	assert_refused("`%d`, `a` + 1", "string");
	assert_refused("`%d`, -`a`", "string");
	assert_refused("`%d`, `a` ? 1 : 2", "condition");
	assert_refused("`%d`, REC->i[1]", "not an array");
	assert_refused("`%d`, &3", "outside");
	assert_refused("`%d`, ({ int = 3; 1; })", "declaration");
	assert_refused("`%d`, ({ 1 })", "; should");
	assert_refused("`%d`, @", "@ stands");
	assert_refused("`%d`, `open", "value");
}

static void deep_nesting_is_refused(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text deep = TEXT_EMPTY;
	_cleanup_(text_done) struct text wide = TEXT_EMPTY;
	_cleanup_(text_done) struct text choices = TEXT_EMPTY;

	text_add(&deep, "`%d`, ");
	text_add(&wide, "`%d`, REC->i");
	text_add(&choices, "`%d`, 1");
	for (int i = 0; i < 5000; i++) {
		text_add(&deep, "(");
		text_add(&wide, " + REC->i");
		text_add(&choices, " ? 1 : 1");
	}
	assert_refused(deep.chars, "deeply");
	assert_refused(wide.chars, "too large");
	assert_refused(choices.chars, "deeply");
}

static void variables_cannot_multiply_the_work(void **state)
{
	(void)state;
	/* Each variable doubles the nodes that are evaluated. */
	assert_refused("`%d`, ({ int a = REC->i; int b = a + a; int c = b + b; int d = c + c;"
		       " int e = d + d; int f = e + e; int g = f + f; int h = g + g; int i = h + h;"
		       " int j = i + i; int k = j + j; int l = k + k; int m = l + l; m; })",
		       "too large");
	assert_refused("`%d`, ({ int a=1; int b=1; int c=1; int d=1; int e=1; int f=1; int g=1;"
		       " int h=1; int i=1; int j=1; int k=1; int l=1; int m=1; int n=1; int o=1;"
		       " int p=1; int q=1; q; })",
		       "too many variables");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_bind_as_in_c),
		cmocka_unit_test(unary_operators_nest),
		cmocka_unit_test(numbers_have_the_types_of_their_spelling),
		cmocka_unit_test(constants_of_c_are_known),
		cmocka_unit_test(names_of_the_kernel_count_as_zero),
		cmocka_unit_test(fields_are_found_whatever_brackets_surround_the_record),
		cmocka_unit_test(elements_of_arrays_are_counted),
		cmocka_unit_test(a_block_has_variables),
		cmocka_unit_test(the_gnu_choice_without_a_middle_is_known),
		cmocka_unit_test(strings_are_joined_and_unquoted),
		cmocka_unit_test(what_is_not_an_expression_is_refused),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(variables_cannot_multiply_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
