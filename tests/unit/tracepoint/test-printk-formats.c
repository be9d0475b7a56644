/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tracepoint/printk-formats.h"

static struct printk_formats *read_text(const char *text)
{
	return printk_formats_new(text, strlen(text));
}

static void strings_are_found_by_address(void **state)
{
	(void)state;
	_cleanup_(printk_formats_freep) struct printk_formats *p = read_text(
		"0xffff8000812864b0 : \"Function call interrupts\"\n"
		"0xffff800081286498 : \"Rescheduling interrupts\"\n"
		"0x10 : \"last\"");

	assert_string_equal(printk_formats_find(p, 0xffff800081286498), "Rescheduling interrupts");
	assert_string_equal(printk_formats_find(p, 0xffff8000812864b0), "Function call interrupts");
	assert_string_equal(printk_formats_find(p, 0x10), "last");
	assert_null(printk_formats_find(p, 0xffff800081286499));
}

static void escapes_stay_but_the_end_of_a_line_goes(void **state)
{
	(void)state;
	_cleanup_(printk_formats_freep) struct printk_formats *p =
		read_text("0x1 : \"x \\\"q\\\" \\t y\\n\"\n0x2 : \"\\n\"\n0x3 : \"\"\n");

	assert_string_equal(printk_formats_find(p, 1), "x \\\"q\\\" \\t y");
	assert_string_equal(printk_formats_find(p, 2), "");
	assert_string_equal(printk_formats_find(p, 3), "");
}

static void other_lines_are_left_out(void **state)
{
	(void)state;
	_cleanup_(printk_formats_freep) struct printk_formats *p =
		read_text("\nhello\n0x1\n0x2 : \n0x3 : \"open\n: \"no address\"\n0x4:\"close\"\n");
	_cleanup_(printk_formats_freep) struct printk_formats *empty = printk_formats_new("", 0);
	_cleanup_(printk_formats_freep) struct printk_formats *cut =
		printk_formats_new("0x5 : \"five\"six", 12);

	for (uint64_t addr = 0; addr < 8; addr++) {
		assert_null(printk_formats_find(p, addr));
		assert_null(printk_formats_find(empty, addr));
	}
	assert_string_equal(printk_formats_find(cut, 5), "five");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_found_by_address),
		cmocka_unit_test(escapes_stay_but_the_end_of_a_line_goes),
		cmocka_unit_test(other_lines_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
