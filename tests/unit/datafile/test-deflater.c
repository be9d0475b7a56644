/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/deflater.h"
#include "example-file.h"
#include "skip.h"

static void check_much_data(bool aligned)
{
	struct deflater *z = deflater_new(1, aligned);
	struct bytes noise = { 0 }, out = { 0 };
	uint64_t x = 88172645463325252;
	size_t records = 0;

	if (!z)
		skip_because("built without zstd");
	for (size_t i = 0; i < 50000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		bytes_u64(&noise, x);
	}
	assert_int_equal(deflater_add(z, noise.data, noise.n, &out), 0);
	for (size_t at = 0; at < out.n; records++) {
		struct record_header h;

		assert_int_equal(record_header_decode(out.data + at, out.n - at, false, &h), 0);
		assert_int_equal(h.type,
				 aligned ? PERF_RECORD_COMPRESSED2 : PERF_RECORD_COMPRESSED);
		if (aligned) {
			struct record r;

			assert_int_equal(h.size % 8, 0);
			assert_int_equal(record_decode(out.data + at, h.size, false, NULL, &r), 0);
			assert_true(r.compressed.size + 16 <= h.size);
			assert_true(r.compressed.size + 16 > h.size - 8u);
		}
		at += h.size;
		assert_true(at <= out.n);
	}
	assert_true(records >= noise.n / 65536);
	deflater_free(z);
	bytes_done(&noise);
	bytes_done(&out);
}

static void much_data_takes_several_records(void **state)
{
	(void)state;
	check_much_data(false);
}

static void aligned_records_say_how_much_of_them_is_data(void **state)
{
	(void)state;
	check_much_data(true);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(much_data_takes_several_records),
		cmocka_unit_test(aligned_records_say_how_much_of_them_is_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
