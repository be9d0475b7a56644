/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "wire/record-codec.h"

static const uint8_t bytes[] = { 0xff, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0 };

static void words_may_lie_anywhere(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes + 1, 16, false);
	struct words w = words_take(&c, 2);

	assert_ptr_equal(w.bytes, bytes + 1);
	assert_int_equal(words_get(&w, 0), 1);
	assert_int_equal(words_get(&w, 1), 2);
	assert_false(c.bad);
}

static void words_of_the_other_order_are_turned_around(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes + 1, 16, true);
	struct words w = words_take(&c, 2);
	_cleanup_(bytes_done) struct bytes out = { 0 };

	assert_true(words_get(&w, 1) == 2ULL << 56);
	words_put(&w, &out);
	assert_int_equal(out.n, 16);
	assert_int_equal(out.data[15], 2);
}

static void more_words_than_there_are_give_none(void **state)
{
	(void)state;
	static const uint64_t counts[] = { 2, 0x2000000000000000, 0x2000000000000001, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct cursor c = cursor_over(bytes, 15, false);

		assert_int_equal(words_take(&c, counts[i]).n, 0);
		assert_true(c.bad);
	}
}

static void no_words_are_no_mistake(void **state)
{
	(void)state;
	struct cursor c = cursor_over(bytes, 0, false);
	struct words w = words_take(&c, 0);
	struct bytes out = { 0 };

	assert_int_equal(w.n, 0);
	assert_false(c.bad);
	words_put(&w, &out);
	assert_int_equal(out.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_may_lie_anywhere),
		cmocka_unit_test(words_of_the_other_order_are_turned_around),
		cmocka_unit_test(more_words_than_there_are_give_none),
		cmocka_unit_test(no_words_are_no_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
