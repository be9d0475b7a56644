/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <zlib.h>

#include "base/cleanup.h"
#include "profile/page/pack.h"

static void what_is_packed_comes_out_again(void **state)
{
	_cleanup_(bytes_done) struct bytes packed = { 0 };
	char text[1000] = { 0 }, out[1000];

	(void)state;
	page_pack(text, sizeof(text), &packed);
	uLongf n = sizeof(out);

	assert_true(packed.n < 100);
	assert_int_equal(uncompress((uint8_t *)out, &n, packed.data, packed.n), Z_OK);
	assert_int_equal(n, sizeof(text));
	assert_memory_equal(out, text, n);
}

static void nothing_can_be_packed(void **state)
{
	_cleanup_(bytes_done) struct bytes packed = { 0 };

	(void)state;
	page_pack("", 0, &packed);
	assert_true(packed.n < 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_packed_comes_out_again),
		cmocka_unit_test(nothing_can_be_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
