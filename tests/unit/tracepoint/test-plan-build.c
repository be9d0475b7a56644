/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void fields_have_the_signs_of_their_types(void **state)
{
	(void)state;
	assert_text("`%ld %ld %lld`, (long)REC->i, (long)REC->h, (long long)REC->i", "-5 -3 -5");
	assert_text("`%d %d %d %d`, REC->i < 0, REC->i >= 0, REC->l < 0, REC->u < 0", "1 0 1 0");
	assert_text("`%s %s`, REC->i == -5 ? `eq` : `ne`, REC->u == 0xfffffff0 ? `eq` : `ne`",
		    "eq eq");
}

static void operands_of_two_types_meet_in_the_wider_one(void **state)
{
	(void)state;
	assert_text("`%s %s %s`, REC->i < REC->u ? `lt` : `ge`, REC->i < REC->l ? `lt` : `ge`, "
		    "REC->h < REC->b ? `lt` : `ge`",
		    "ge ge lt");
	assert_text("`%lx %lx`, REC->u + 0x10, REC->u + 0x10UL", "0 100000000");
}

static void constants_are_folded_to_the_same(void **state)
{
	(void)state;
	assert_text("`%lx %lx`, 0xfffffff0 + 0x10, 0xfffffff0 + 0x10UL", "0 100000000");
	assert_text("`%d %d %d %d`, 3 && 0, 3 || 0, !3, ~3", "0 1 0 -4");
}

static void an_address_is_where_a_field_lies(void **state)
{
	(void)state;
	assert_text("`%pI4 %pI4`, &REC->ip4, &REC->ip4[0]", "192.0.2.1 192.0.2.1");
	assert_text("`%s`, __print_hex(&REC->mac[2], 4)", "00 ab cd ef");
	assert_text("`%s`, __print_hex(&REC->i, 4)", "fb ff ff ff");
}

static void the_record_itself_is_bytes(void **state)
{
	(void)state;
	assert_text("`%s`, ((char *)((void *)REC + (REC->name & 0xffff)))", "hello");
	assert_text("`%s`, (char *)REC->s + 1", "i");
}

static void choices_may_be_of_any_kind(void **state)
{
	(void)state;
	assert_text("`%s %s`, REC->yes ? REC->s : `no`, REC->i > 0 ? `a` : __get_str(name)",
		    "hi hello");
	assert_text("`%pI4`, REC->yes ? REC->ip4 : REC->mac", "192.0.2.1");
	assert_text("`%s`, REC->yes ? `a` : REC->b ? `b` : `c`", "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_have_the_signs_of_their_types),
		cmocka_unit_test(operands_of_two_types_meet_in_the_wider_one),
		cmocka_unit_test(constants_are_folded_to_the_same),
		cmocka_unit_test(an_address_is_where_a_field_lies),
		cmocka_unit_test(the_record_itself_is_bytes),
		cmocka_unit_test(choices_may_be_of_any_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
