/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cursor.h"
#include "datafile/feature-layout.h"

struct tool {
	char *name;
	uint32_t n_bytes;
	uint8_t *bytes;
};

struct shop {
	uint64_t number;
	struct {
		struct tool *items;
		size_t n, room;
	} tools;
	struct {
		char **items;
		size_t n, room;
	} words;
	struct bytes rest;
};

static const struct feature_field tool_layout[] = {
	LAYOUT_FIELD(struct tool, name),
	LAYOUT_FIELD(struct tool, n_bytes),
	LAYOUT_BYTES(struct tool, bytes, n_bytes),
	LAYOUT_END,
};

static const struct feature_field shop_layout[] = {
	LAYOUT_FIELD(struct shop, number),
	LAYOUT_LIST64(struct shop, tools, tool_layout),
	LAYOUT_LIST(struct shop, words, feature_layout_text),
	LAYOUT_FIELD(struct shop, rest),
	LAYOUT_END,
};

static const uint8_t payload[] = {
	9, 0, 0, 0, 0,   0, 0, 0,                  /* number */
	1, 0, 0, 0, 0,   0, 0, 0,                  /* tools */
	2, 0, 0, 0, 'h', 0, 3, 0, 0,   0, 7, 8, 9, /* one tool */
	1, 0, 0, 0, 1,   0, 0, 0, 'w',             /* words */
	5, 6,                                      /* the rest */
};

static void a_payload_is_decoded_field_by_field(void **state)
{
	(void)state;
	struct cursor c = cursor_over(payload, sizeof(payload), false);
	struct shop s = { 0 };

	feature_layout_decode(shop_layout, &s, &c);
	assert_false(c.bad);
	assert_int_equal(s.number, 9);
	assert_int_equal(s.tools.n, 1);
	assert_string_equal(s.tools.items[0].name, "h");
	assert_int_equal(s.tools.items[0].n_bytes, 3);
	assert_int_equal(s.tools.items[0].bytes[2], 9);
	assert_int_equal(s.words.n, 1);
	assert_string_equal(s.words.items[0], "w");
	assert_int_equal(s.rest.n, 2);
	assert_int_equal(s.rest.data[1], 6);
	assert_int_equal(cursor_left(&c), 0);
	feature_layout_done(shop_layout, &s);
}

static void fields_are_encoded_in_the_order_of_the_layout(void **state)
{
	(void)state;
	static const uint8_t numbers[] = { 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 64 };
	struct tool tool = { "h", 3, (uint8_t *)"xyz" };
	struct shop s = { .number = 9,
			  .tools = { &tool, 1, 0 },
			  .words = { (char *[]){ "w" }, 1, 0 },
			  .rest = { (uint8_t *)"ab", 2, 0 } };
	struct bytes b = { 0 };

	feature_layout_encode(shop_layout, &s, &b);
	assert_int_equal(b.n, 8 + 8 + (4 + 64 + 4 + 3) + 4 + (4 + 64) + 2);
	assert_memory_equal(b.data, numbers, sizeof(numbers));
	assert_memory_equal(b.data + 20, "h", 2);
	assert_memory_equal(b.data + 84, "\x03\0\0\0xyz\x01\0\0", 10);
	assert_memory_equal(b.data + 99, "w", 2);
	assert_memory_equal(b.data + 163, "ab", 2);
	bytes_done(&b);
}

static void a_payload_cut_inside_a_field_is_bad_and_can_be_released(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof(payload) - 2; n++) {
		struct cursor c = cursor_over(payload, n, false);
		struct shop s = { 0 };

		feature_layout_decode(shop_layout, &s, &c);
		assert_true(c.bad);
		feature_layout_done(shop_layout, &s);
	}
}

static void a_list_grows_with_the_items_that_are_there(void **state)
{
	(void)state;
	static const uint64_t absurd[] = { 9, UINT64_MAX, 0, 0 };
	struct cursor c = cursor_over(absurd, sizeof(absurd), false);
	struct shop s = { 0 };

	feature_layout_decode(shop_layout, &s, &c);
	assert_true(c.bad);
	assert_int_equal(s.tools.n, 3);
	assert_int_equal(s.words.n, 0);
	feature_layout_done(shop_layout, &s);
}

static void numbers_in_the_other_byte_order_are_turned_around(void **state)
{
	(void)state;
	static const uint8_t swapped[] = { 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0,
					   1, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0, 0 };
	struct cursor c = cursor_over(swapped, sizeof(swapped), true);
	struct shop s = { 0 };

	feature_layout_decode(shop_layout, &s, &c);
	assert_false(c.bad);
	assert_int_equal(s.number, 9);
	assert_int_equal(s.tools.n, 1);
	assert_int_equal(s.tools.items[0].n_bytes, 2);
	feature_layout_done(shop_layout, &s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_payload_is_decoded_field_by_field),
		cmocka_unit_test(fields_are_encoded_in_the_order_of_the_layout),
		cmocka_unit_test(a_payload_cut_inside_a_field_is_bad_and_can_be_released),
		cmocka_unit_test(a_list_grows_with_the_items_that_are_there),
		cmocka_unit_test(numbers_in_the_other_byte_order_are_turned_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
