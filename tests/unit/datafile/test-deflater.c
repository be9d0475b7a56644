/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/example-file.h"
#include "datafile/deflater.h"

static void much_data_takes_several_records(void **state)
{
	(void)state;
	struct deflater *z = deflater_new(1);
	struct bytes noise = { 0 }, out = { 0 };
	uint64_t x = 88172645463325252;
	size_t records = 0;

	if (!z)
		skip();
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
		assert_int_equal(h.type, PERF_RECORD_COMPRESSED);
		at += h.size;
		assert_true(at <= out.n);
	}
	assert_true(records >= noise.n / 65536);
	deflater_free(z);
	bytes_done(&noise);
	bytes_done(&out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(much_data_takes_several_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
