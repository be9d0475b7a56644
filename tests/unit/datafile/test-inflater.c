/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/deflater.h"
#include "datafile/inflater.h"
#include "example-file.h"
#include "skip.h"

static void a_record_may_straddle_two_payloads(void **state)
{
	(void)state;
	struct deflater *packer = deflater_new(1, false);
	struct inflater *z = inflater_new();
	struct bytes plain = samples(), first = { 0 }, second = { 0 };
	const uint8_t *p;

	if (!packer || !z)
		skip_because("built without zstd");
	assert_int_equal(deflater_add(packer, plain.data, 30, &first), 0);
	assert_int_equal(deflater_add(packer, plain.data + 30, plain.n - 30, &second), 0);
	inflater_feed(z, first.data + 8, first.n - 8);
	assert_int_equal(inflater_peek(z, 24, &p), 30);
	inflater_take(z, 24, 24);
	assert_int_equal(inflater_peek(z, 24, &p), 6);
	inflater_feed(z, second.data + 8, second.n - 8);
	assert_int_equal(inflater_peek(z, plain.n - 24, &p), plain.n - 24);
	assert_memory_equal(p, plain.data + 24, plain.n - 24);
	deflater_free(packer);
	inflater_free(z);
	bytes_done(&plain);
	bytes_done(&first);
	bytes_done(&second);
}

static void what_is_no_zstd_is_refused(void **state)
{
	(void)state;
	struct inflater *z = inflater_new();
	const uint8_t *p;

	if (!z)
		skip_because("built without zstd");
	inflater_feed(z, (const uint8_t *)"no zstd at all", 14);
	assert_true(inflater_peek(z, 1, &p) < 0);
	inflater_free(z);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_may_straddle_two_payloads),
		cmocka_unit_test(what_is_no_zstd_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
