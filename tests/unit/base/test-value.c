/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/value.h"

static void assert_text(struct value v, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	value_add(&t, &v);
	assert_string_equal(t.chars, wanted);
}

static void each_type_has_its_plain_text(void **state)
{
	const struct value list[] = { value_unsigned(1), VALUE_UNKNOWN, value_unsigned(2) };

	(void)state;
	assert_text(VALUE_UNKNOWN, "");
	assert_text(value_text("main"), "main");
	assert_text(value_unsigned(UINT64_MAX), "18446744073709551615");
	assert_text(value_signed(-1), "-1");
	assert_text(value_number(VALUE_ADDRESS, 0x1f), "0x1f");
	assert_text(value_number(VALUE_ADDRESS, 0), "0");
	assert_text(value_number(VALUE_BYTES, 65536), "64K");
	assert_text(value_number(VALUE_TIME, 1500000001), "1.500000001");
	assert_text(value_percent(12.345), "12.35%");
	assert_text(value_flag(true), "yes");
	assert_text(value_flag(false), "no");
	assert_text((struct value){ .type = VALUE_LIST, .list = { list, 3 } }, "1  2");
}

static void a_text_that_is_not_there_is_none(void **state)
{
	(void)state;
	assert_int_equal(value_text(NULL).type, VALUE_NONE);
	assert_int_equal(value_text("").type, VALUE_TEXT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_its_plain_text),
		cmocka_unit_test(a_text_that_is_not_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
