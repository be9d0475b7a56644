/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"

static void integers_are_appended_in_our_order(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	uint64_t v;

	bytes_u8(&b, 1);
	bytes_u16(&b, 2);
	bytes_u32(&b, 3);
	bytes_u64(&b, 4);
	assert_int_equal(b.n, 15);
	assert_int_equal(b.data[0], 1);
	memcpy(&v, b.data + 7, sizeof(v));
	assert_int_equal(v, 4);
}

static void a_string_is_padded_with_zeros(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };

	bytes_u8(&b, 9);
	bytes_string(&b, "abcd", 4);
	assert_int_equal(b.n, 9);
	assert_memory_equal(b.data, "\tabcd\0\0\0", 9);
	bytes_string(&b, "abc", 4);
	assert_int_equal(b.n, 13);
}

static void padding_counts_from_where_it_is_told(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };

	bytes_zero(&b, 3);
	bytes_u8(&b, 1);
	bytes_pad(&b, 3, 8);
	assert_int_equal(b.n, 11);
	bytes_pad(&b, 3, 8);
	assert_int_equal(b.n, 11);
}

static void nothing_may_be_added(void **state)
{
	(void)state;
	struct bytes b = { 0 };

	bytes_add(&b, NULL, 0);
	bytes_zero(&b, 0);
	assert_null(b.data);
}

static void what_is_done_is_empty_again(void **state)
{
	(void)state;
	struct bytes b = { 0 };

	bytes_u64(&b, 1);
	bytes_done(&b);
	assert_int_equal(b.n, 0);
	assert_null(b.data);
	bytes_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_appended_in_our_order),
		cmocka_unit_test(a_string_is_padded_with_zeros),
		cmocka_unit_test(padding_counts_from_where_it_is_told),
		cmocka_unit_test(nothing_may_be_added),
		cmocka_unit_test(what_is_done_is_empty_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
