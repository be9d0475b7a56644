/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void texts_are_padded_to_64_bytes_as_perf_does(void **state)
{
	(void)state;
	struct features f = { .hostname = "vm" };
	struct bytes b = { 0 };

	features_encode(&f, FEATURE_HOSTNAME, &b);
	assert_int_equal(b.n, 4 + 64);
	assert_int_equal(b.data[0], 64);
	bytes_done(&b);
}

static void a_text_without_nul_ends_with_its_length(void **state)
{
	(void)state;
	static const uint8_t payload[] = { 3, 0, 0, 0, 'a', 'b', 'c', 'd' };
	struct features f = { 0 };

	assert_int_equal(
		features_decode(&f, FEATURE_ARCH, cursor_over(payload, sizeof(payload), false)), 0);
	assert_string_equal(f.arch, "abc");
	features_done(&f);
}

static void a_length_beyond_the_payload_is_refused(void **state)
{
	(void)state;
	static const uint8_t payload[] = { 0xff, 0xff, 0xff, 0xff, 'a' };
	struct features f = { 0 };

	assert_int_not_equal(
		features_decode(&f, FEATURE_ARCH, cursor_over(payload, sizeof(payload), false)), 0);
	assert_null(f.arch);
}

static void a_length_in_the_other_byte_order_is_turned_around(void **state)
{
	(void)state;
	static const uint8_t payload[] = { 0, 0, 0, 2, 's', 0 };
	struct features f = { 0 };

	assert_int_equal(
		features_decode(&f, FEATURE_VERSION, cursor_over(payload, sizeof(payload), true)),
		0);
	assert_string_equal(f.version, "s");
	features_done(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_padded_to_64_bytes_as_perf_does),
		cmocka_unit_test(a_text_without_nul_ends_with_its_length),
		cmocka_unit_test(a_length_beyond_the_payload_is_refused),
		cmocka_unit_test(a_length_in_the_other_byte_order_is_turned_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
