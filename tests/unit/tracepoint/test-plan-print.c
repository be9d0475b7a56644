/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void strings_end_at_their_nul_or_with_their_field(void **state)
{
	(void)state;
	assert_text("`%s|%5s|%-5s|%.1s|%5.1s|`, REC->s, REC->s, REC->s, REC->s, REC->s",
		    "hi|   hi|hi   |h|    h|");
	assert_text("`%s|%s|`, REC->full, REC->mac", "abcd|RT|");
	assert_text("`%10s|%-10s|%.3s|`, __get_str(name), __get_str(name), __get_str(name)",
		    "     hello|hello     |hel|");
}

static void characters_are_printed_but_not_nul(void **state)
{
	(void)state;
	assert_text("`%c%c%3c|%-3c|%c|`, 72, 105, 66, 66, 0", "Hi  B|B  ||");
}

static void pointers_are_hexadecimal_or_nil(void **state)
{
	(void)state;
	assert_text("`%p|%px|%pK|%p|%20p|%-20p|`, REC->p, REC->p, REC->p, 0, REC->p, REC->p",
		    "0xffff800012345678|0xffff800012345678|0xffff800012345678|(nil)|  "
		    "0xffff800012345678|0xffff800012345678  |");
	assert_text("`%s|`, REC->p", "ffff800012345678|");
}

static void symbols_and_strings_come_from_the_machine(void **state)
{
	(void)state;
	const struct tracepoint_machine m = { .symbol = known_symbol, .string = known_string };
	_cleanup_(freep) char *text = text_of_bytes(
		"`%pS|%ps|%pF|%pf|%pS|%ps|%s|%12s|%s`, REC->p, REC->p, REC->p, REC->p, REC->ul, 0,"
		" REC->p, REC->p, REC->ul",
		&m, plan_record, sizeof(plan_record));

	assert_string_equal(text, "my_function+0x78|my_function|my_function+0x78|my_function|"
				  "0xdeadbeefcafe|0x0|a constant|  a constant|deadbeefcafe");
	assert_text("`%pS|%ps`, REC->p, REC->p", "0xffff800012345678|0xffff800012345678");
}

static void the_text_is_appended(void **state)
{
	(void)state;
	const struct tracepoint_machine m = { 0 };
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct diag diag = { 0 };

	assert_int_equal(tracepoint_format_parse("print fmt: \"%s %d\", \"x\", 1\n", &f, &diag), 0);

	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p = tracepoint_plan_new(f, 8);

	text_add(&out, "before ");
	tracepoint_plan_print(p, &m, NULL, 0, &out);
	text_add(&out, " after");
	assert_string_equal(out.chars, "before x 1 after");
}

static void what_defeated_the_old_library_is_printed(void **state)
{
	(void)state;
	assert_text("`page=%p pfn=0x%lx order=%d`, REC->ul != -1UL ? (((struct page "
		    "*)((-(((0x40000000UL)))) - ((((-((((1UL))) << ((((48))) - 1))) - "
		    "((-((((1UL))) << ((48)))))) >> 12) * sizeof(struct page))) - (memstart_addr "
		    ">> 12)) + (REC->ul)) : ((void *)0), REC->ul, REC->i",
		    "page=0xdcad7eefcafe pfn=0xdeadbeefcafe order=-5");
	assert_text("`%d %s error%s:%s%s`, REC->i, mc_event_error_type(REC->yes), REC->b > 1 ? `s` "
		    ": ``, __get_str(name)[0] ? ` ` : ``, __get_str(name)",
		    "-5 Uncorrected errors: hello");
	assert_text("`nents=%d/%d`, ({ int __UNIQUE_ID_x_1057 = (REC->b); int __UNIQUE_ID_y_1058 = "
		    "(128); ((__UNIQUE_ID_x_1057) < (__UNIQUE_ID_y_1058) ? (__UNIQUE_ID_x_1057) : "
		    "(__UNIQUE_ID_y_1058)); }), REC->b",
		    "nents=128/200");
	assert_text("`dev %d,%d`, ((unsigned int) ((REC->dev) >> 20)), ((unsigned int) ((REC->dev) "
		    "& ((1U << 20) - 1)))",
		    "dev 253,7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_end_at_their_nul_or_with_their_field),
		cmocka_unit_test(characters_are_printed_but_not_nul),
		cmocka_unit_test(pointers_are_hexadecimal_or_nil),
		cmocka_unit_test(symbols_and_strings_come_from_the_machine),
		cmocka_unit_test(the_text_is_appended),
		cmocka_unit_test(what_defeated_the_old_library_is_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
