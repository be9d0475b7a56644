/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cursor.h"

static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static void integers_are_taken_one_after_the_other(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes, sizeof(bytes), false);

	assert_int_equal(cursor_u8(&c), 1);
	assert_int_equal(cursor_u16(&c), 0x0302);
	assert_int_equal(cursor_u32(&c), 0x07060504);
	assert_int_equal(cursor_u64(&c), 0x0f0e0d0c0b0a0908);
	assert_int_equal(cursor_left(&c), 0);
	assert_false(c.bad);
}

static void integers_of_the_other_order_are_turned_around(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes, sizeof(bytes), true);

	assert_int_equal(cursor_u8(&c), 1);
	assert_int_equal(cursor_u16(&c), 0x0203);
	assert_int_equal(cursor_u32(&c), 0x04050607);
	assert_int_equal(cursor_u64(&c), 0x08090a0b0c0d0e0f);
}

static void taking_past_the_end_gives_zero_and_is_remembered(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes, 7, false);

	assert_int_equal(cursor_u64(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_u8(&c), 0); /* nothing is left, even if it would have fitted */
	assert_true(c.bad);
}

static void bytes_are_lent(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes, 4, false);

	assert_ptr_equal(cursor_bytes(&c, 4), bytes);
	assert_non_null(cursor_bytes(&c, 0));
	assert_false(c.bad);
	assert_null(cursor_bytes(&c, 1));
	assert_true(c.bad);
}

static void a_length_near_the_largest_number_is_too_long(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes, 4, false);

	assert_null(cursor_bytes(&c, UINT64_MAX));
	assert_true(c.bad);
}

static void a_string_ends_at_its_nul(void **state)
{
	(void)state;
	struct cursor c = cursor_over("ab\0cd", 6, false);

	assert_string_equal(cursor_string(&c), "ab");
	assert_string_equal(cursor_string(&c), "cd");
	assert_int_equal(cursor_left(&c), 0);
	assert_false(c.bad);
}

static void a_string_without_end_is_empty(void **state)
{
	(void)state;
	struct cursor c = cursor_over("abc", 3, false);

	assert_string_equal(cursor_string(&c), "");
	assert_true(c.bad);
}

static void numbers_of_seven_bits_a_byte(void **state)
{
	static const uint8_t coded[] = { 0x02, 0xe5, 0x8e, 0x26, 0x7f, 0x80, 0x7f, 0xc0, 0x00 };
	struct cursor c = cursor_over(coded, sizeof(coded), false);

	(void)state;
	assert_int_equal(cursor_uleb128(&c), 2);
	assert_int_equal(cursor_uleb128(&c), 624485);
	assert_int_equal(cursor_sleb128(&c), -1);
	assert_int_equal(cursor_sleb128(&c), -128);
	assert_int_equal(cursor_sleb128(&c), 64);
	assert_int_equal(cursor_left(&c), 0);
	assert_false(c.bad);
}

static void a_number_may_have_more_bytes_than_it_needs(void **state)
{
	static const uint8_t coded[] = { 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					 0x80, 0x80, 0x80, 0x80, 0x80, 0x00 };
	static const uint8_t smallest[] = { 0x80, 0x80, 0x80, 0x80, 0x80,
					    0x80, 0x80, 0x80, 0x80, 0x7f };
	struct cursor c = cursor_over(coded, sizeof(coded), false);

	(void)state;
	assert_int_equal(cursor_uleb128(&c), 1);
	assert_false(c.bad);
	c = cursor_over(smallest, sizeof(smallest), false);
	assert_true(cursor_sleb128(&c) == INT64_MIN);
}

static void a_number_without_end_is_bad(void **state)
{
	static const uint8_t coded[] = { 0x80, 0x80 };
	struct cursor c = cursor_over(coded, sizeof(coded), false);

	(void)state;
	cursor_uleb128(&c);
	assert_true(c.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_taken_one_after_the_other),
		cmocka_unit_test(integers_of_the_other_order_are_turned_around),
		cmocka_unit_test(taking_past_the_end_gives_zero_and_is_remembered),
		cmocka_unit_test(bytes_are_lent),
		cmocka_unit_test(a_length_near_the_largest_number_is_too_long),
		cmocka_unit_test(a_string_ends_at_its_nul),
		cmocka_unit_test(a_string_without_end_is_empty),
		cmocka_unit_test(numbers_of_seven_bits_a_byte),
		cmocka_unit_test(a_number_may_have_more_bytes_than_it_needs),
		cmocka_unit_test(a_number_without_end_is_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
