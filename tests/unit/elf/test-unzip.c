/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "elf/unzip.h"

/* "hello, hello, hello\n", packed by zlib. */
static const uint8_t packed[] = { 0x78, 0x9c, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51,
				  0xc8, 0x40, 0xa2, 0xb8, 0x00, 0x4b, 0x07, 0x06, 0xdf };
static const char text[] = "hello, hello, hello\n";

#define TEXT_SIZE (sizeof(text) - 1)

static bool unpack(const uint8_t *bytes, size_t n, size_t size)
{
	_cleanup_(unzip_freep) struct unzip *u = unzip_new();
	char out[64];
	bool done = unzip(u, bytes, n, out, size);

	if (done)
		assert_memory_equal(out, text, size);
	return done;
}

static void what_was_packed_comes_back(void **state)
{
	(void)state;
	assert_true(unpack(packed, sizeof(packed), TEXT_SIZE));
}

static void other_sizes_than_expected_are_refused(void **state)
{
	(void)state;
	assert_false(unpack(packed, sizeof(packed), TEXT_SIZE - 1));
	assert_false(unpack(packed, sizeof(packed), TEXT_SIZE + 1));
	assert_false(unpack(packed, sizeof(packed), 0));
}

static void damage_is_seen(void **state)
{
	uint8_t bytes[sizeof(packed)];

	(void)state;
	assert_false(unpack(packed, 0, TEXT_SIZE));
	assert_false(unpack(packed, sizeof(packed) - 1, TEXT_SIZE));
	memcpy(bytes, packed, sizeof(bytes));
	bytes[sizeof(bytes) - 1] ^= 1;
	assert_false(unpack(bytes, sizeof(bytes), TEXT_SIZE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_packed_comes_back),
		cmocka_unit_test(other_sizes_than_expected_are_refused),
		cmocka_unit_test(damage_is_seen),
	};
	_cleanup_(unzip_freep) struct unzip *u = unzip_new();

	if (u)
		return cmocka_run_group_tests(tests, NULL, NULL);
	puts("1..0 # SKIP neither zlib nor libdeflate is here");
	return 0;
}
