/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "store/content-id.h"

static int64_t id_of(const char *a, const char *b, uint64_t n)
{
	struct content_hash h;

	content_hash_begin(&h);
	content_hash_text(&h, a);
	content_hash_text(&h, b);
	content_hash_number(&h, n);
	return content_hash_id(&h);
}

/* Stores keep ids for years: these numbers must never change. */
static void ids_are_for_ever(void **state)
{
	struct content_hash h;

	(void)state;
	content_hash_begin(&h);
	assert_int_equal(content_hash_id(&h), INT64_C(9213937656877588051));
	assert_int_equal(id_of("libc.so.6", "malloc", 0), INT64_C(3580489933958351182));
	assert_int_equal(id_of("a text that is longer than one word", "\xff\x01", UINT64_MAX),
			 INT64_C(-126568958484166382));
}

static void texts_do_not_run_together(void **state)
{
	(void)state;
	assert_int_not_equal(id_of("a", "bc", 1), id_of("ab", "c", 1));
	assert_int_not_equal(id_of("", "abc", 1), id_of("abc", "", 1));
	assert_int_not_equal(id_of("12345678", "", 1), id_of("1234567", "8", 1));
	assert_int_not_equal(id_of("a", "b", 1), id_of("a", "b", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_for_ever),
		cmocka_unit_test(texts_do_not_run_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
