/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "hwtrace/pt-code.h"

/* An image from 0x1800 to 0x3010, each byte of which is the low byte of its address. */
static size_t questions;

static size_t code(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes,
		   size_t size)
{
	(void)arg;
	(void)time;
	questions++;
	if (pid != 7 || addr < 0x1800 || addr >= 0x3010)
		return 0;
	if (size > 0x3010 - addr)
		size = 0x3010 - addr;
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(addr + i);
	return size;
}

static void code_is_read_across_pages_and_to_the_images_end(void **state)
{
	(void)state;
	struct pt_code c = { .host.code = code, .pid = 7 };
	uint8_t b[16];

	assert_int_equal(pt_code_read(&c, 0x1ff8, b, 16), 16);
	assert_int_equal(b[0], 0xf8);
	assert_int_equal(b[15], 0x07);
	assert_int_equal(pt_code_read(&c, 0x3008, b, 16), 8);
	assert_int_equal(pt_code_read(&c, 0x3010, b, 16), 0);
	pt_code_done(&c);
}

static void an_image_may_begin_inside_of_a_page(void **state)
{
	(void)state;
	struct pt_code c = { .host.code = code, .pid = 7 };
	uint8_t b[4];

	assert_int_equal(pt_code_read(&c, 0x1800, b, 4), 4);
	assert_int_equal(pt_code_read(&c, 0x17ff, b, 4), 0);
	pt_code_done(&c);
}

static void a_page_is_asked_for_once_until_time_moves_on(void **state)
{
	(void)state;
	struct pt_code c = { .host.code = code, .pid = 7, .time = 5 };
	uint8_t b[4];
	size_t before;

	pt_code_read(&c, 0x2000, b, 4);
	before = questions;
	pt_code_read(&c, 0x2100, b, 4);
	assert_int_equal(questions, before);
	c.time += 1000000000;
	pt_code_read(&c, 0x2100, b, 4);
	assert_int_not_equal(questions, before);
	c.pid = 8;
	assert_int_equal(pt_code_read(&c, 0x2100, b, 4), 0);
	pt_code_done(&c);
}

static void without_a_host_there_is_no_code(void **state)
{
	(void)state;
	struct pt_code c = { .pid = 7 };
	uint8_t b[4];

	assert_int_equal(pt_code_read(&c, 0x2000, b, 4), 0);
	pt_code_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_read_across_pages_and_to_the_images_end),
		cmocka_unit_test(an_image_may_begin_inside_of_a_page),
		cmocka_unit_test(a_page_is_asked_for_once_until_time_moves_on),
		cmocka_unit_test(without_a_host_there_is_no_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
