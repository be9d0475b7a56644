/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text-block.h"

static const char *at(const struct text_block *t, uint32_t offset)
{
	return text_block_at((const char *)t->bytes.data, t->bytes.n, offset);
}

static void equal_texts_have_one_offset(void **state)
{
	_cleanup_(text_block_done) struct text_block t;
	char copy[] = "one";
	uint32_t one, two;

	(void)state;
	text_block_init(&t);
	one = text_block_add(&t, "one");
	two = text_block_add(&t, "two");
	assert_int_equal(text_block_add(&t, copy), one);
	assert_string_equal(at(&t, one), "one");
	assert_string_equal(at(&t, two), "two");
	assert_int_equal(t.bytes.n, 9);
}

static void no_text_is_none(void **state)
{
	_cleanup_(text_block_done) struct text_block t;

	(void)state;
	text_block_init(&t);
	assert_int_equal(text_block_add(&t, NULL), 0);
	assert_null(at(&t, 0));
	assert_string_equal(at(&t, text_block_add(&t, "")), "");
}

static void offsets_beyond_the_block_are_no_texts(void **state)
{
	(void)state;
	assert_null(text_block_at("\0abc", 5, 5));
	assert_null(text_block_at("\0abc", 5, UINT32_MAX));
	assert_string_equal(text_block_at("\0abc", 5, 2), "bc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_one_offset),
		cmocka_unit_test(no_text_is_none),
		cmocka_unit_test(offsets_beyond_the_block_are_no_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
