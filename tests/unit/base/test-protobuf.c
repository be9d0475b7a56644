/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/protobuf.h"

#define assert_written(p, ...)                                                                     \
	do {                                                                                       \
		static const uint8_t want_[] = { __VA_ARGS__ };                                    \
		assert_int_equal((p).out.n, sizeof(want_));                                        \
		assert_memory_equal((p).out.data, want_, sizeof(want_));                           \
	} while (0)

static void numbers_are_seven_bits_a_byte(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_number(&p, 1, 150);
	protobuf_number(&p, 16, 0);
	assert_written(p, 0x08, 0x96, 0x01, 0x80, 0x01, 0x00);
}

static void a_negative_number_takes_ten_bytes(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_number(&p, 1, (uint64_t)-1);
	assert_written(p, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
}

static void a_default_is_left_out(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_known(&p, 1, 0);
	assert_int_equal(p.out.n, 0);
	protobuf_known(&p, 1, 1);
	protobuf_bool(&p, 2, false);
	assert_written(p, 0x08, 0x01, 0x10, 0x00);
}

static void fixed_numbers_have_the_lowest_byte_first(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_fixed64(&p, 2, 0x0102030405060708);
	assert_written(p, 0x11, 8, 7, 6, 5, 4, 3, 2, 1);
}

static void messages_nest(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_begin(&p, 3);
	protobuf_begin(&p, 1);
	protobuf_number(&p, 1, 5);
	protobuf_end(&p);
	protobuf_text(&p, 2, "ab");
	protobuf_end(&p);
	protobuf_begin(&p, 4);
	protobuf_end(&p);
	assert_written(p, 0x1a, 8, 0x0a, 2, 0x08, 5, 0x12, 2, 'a', 'b', 0x22, 0);
}

static void a_long_message_has_a_long_length(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	char text[300];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	protobuf_begin(&p, 1);
	protobuf_text(&p, 1, text);
	protobuf_end(&p);
	assert_int_equal(p.out.n, 3 + 3 + 299);
	assert_int_equal(p.out.data[1], (302 & 0x7f) | 0x80);
	assert_int_equal(p.out.data[2], 302 >> 7);
	assert_int_equal(p.out.data[3], 0x0a);
	assert_int_equal(p.out.data[p.out.n - 1], 'x');
}

static void packed_numbers_share_a_tag(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };
	static const uint64_t v[] = { 3, 270, 86942 };

	(void)state;
	protobuf_packed(&p, 4, v, 0);
	assert_int_equal(p.out.n, 0);
	protobuf_packed(&p, 4, v, 3);
	assert_written(p, 0x22, 6, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05);
}

static void text_is_valid_utf8(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_text(&p, 1, "\xc3\xa4\xff");
	assert_written(p, 0x0a, 6, 0xc3, 0xa4, '\\', 'x', 'f', 'f');
}

static void it_can_be_used_again(void **state)
{
	_cleanup_(protobuf_done) struct protobuf p = { 0 };

	(void)state;
	protobuf_begin(&p, 1);
	protobuf_clear(&p);
	protobuf_number(&p, 1, 1);
	assert_written(p, 0x08, 0x01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_seven_bits_a_byte),
		cmocka_unit_test(a_negative_number_takes_ten_bytes),
		cmocka_unit_test(a_default_is_left_out),
		cmocka_unit_test(fixed_numbers_have_the_lowest_byte_first),
		cmocka_unit_test(messages_nest),
		cmocka_unit_test(a_long_message_has_a_long_length),
		cmocka_unit_test(packed_numbers_share_a_tag),
		cmocka_unit_test(text_is_valid_utf8),
		cmocka_unit_test(it_can_be_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
