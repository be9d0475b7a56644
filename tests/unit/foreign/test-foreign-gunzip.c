/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "foreign/foreign.h"

/* printf 'ab\n' | gzip -n */
static const char packed[] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c\xe2\x02\x00\x3e"
			     "\x98\x4a\x01\x03\x00\x00\x00";

static void two_bytes_tell(void **state)
{
	(void)state;
	assert_true(gunzip_is_packed(packed, sizeof(packed) - 1));
	assert_false(gunzip_is_packed(packed, 2));
	assert_false(gunzip_is_packed("PERFILE2", 8));
}

static void all_parts_are_unpacked(void **state)
{
	char twice[2 * sizeof(packed)];
	size_t n = sizeof(packed) - 1, got;
	char *out;

	(void)state;
	for (size_t i = 0; i < 2 * n; i++)
		twice[i] = packed[i % n];
	assert_int_equal(gunzip(twice, 2 * n, &out, &got), 0);
	assert_int_equal(got, 6);
	assert_memory_equal(out, "ab\nab\n", 6);
	free(out);
}

static void damage_is_an_error(void **state)
{
	char *out;
	size_t got;

	(void)state;
	assert_int_equal(gunzip(packed, sizeof(packed) - 5, &out, &got), -EBADMSG);
	assert_int_equal(gunzip("\x1f\x8b\x00\x00\x00\x00", 6, &out, &got), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_bytes_tell),
		cmocka_unit_test(all_parts_are_unpacked),
		cmocka_unit_test(damage_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
