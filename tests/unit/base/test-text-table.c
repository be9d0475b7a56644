/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text-table.h"

static void equal_texts_have_one_number(void **state)
{
	_cleanup_(text_table_done) struct text_table t = { 0 };
	char copy[] = "b";

	(void)state;
	assert_int_equal(text_table_add(&t, ""), 0);
	assert_int_equal(text_table_add(&t, "b"), 1);
	assert_int_equal(text_table_add(&t, "a"), 2);
	assert_int_equal(text_table_add(&t, copy), 1);
	assert_int_equal(t.n, 3);
	copy[0] = 'x';
	assert_string_equal(t.items[1], "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_one_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
