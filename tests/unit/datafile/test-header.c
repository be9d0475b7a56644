/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "datafile/header.h"

static struct bytes encoded(void)
{
	struct file_header h = {
		.attr_size = 144,
		.attrs = { 104, 144 },
		.data = { 248, 80 },
		.features = { 0x86717efc },
	};
	struct bytes b = { 0 };

	file_header_encode(&h, &b);
	return b;
}

static void what_is_encoded_decodes(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct file_header h;

	assert_int_equal(b.n, FILE_HEADER_SIZE);
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_int_equal(h.version, 2);
	assert_false(h.swap || h.is_stream || h.damaged);
	assert_int_equal(h.data.size, 80);
	assert_int_equal(h.features[0], 0x86717efc);
	bytes_done(&b);
}

static void a_cut_header_is_refused(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct file_header h = { .attr_size = 7 };

	for (size_t n = 0; n < b.n; n++)
		assert_int_equal(file_header_decode(b.data, n, &h), n < 8 ? -EBADMSG : -ENODATA);
	memcpy(b.data, "PERFFILE", 8);
	assert_int_equal(file_header_decode(b.data, 50, &h), -ENODATA);
	b.data[0] = 'X';
	assert_int_equal(file_header_decode(b.data, 50, &h), -EBADMSG);
	assert_int_equal(h.attr_size, 7);
	bytes_done(&b);
}

static void the_other_byte_order_shows_in_the_magic(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct file_header h;

	for (size_t i = 0; i < b.n; i += 8) {
		uint64_t v;

		memcpy(&v, b.data + i, 8);
		v = __builtin_bswap64(v);
		memcpy(b.data + i, &v, 8);
	}
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_true(h.swap);
	assert_int_equal(h.attr_size, 144);
	assert_int_equal(h.features[0], 0x86717efc);
	bytes_done(&b);
}

static void a_writer_of_32_bits_has_the_halves_of_its_features_exchanged(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct file_header h;

	for (size_t i = 0; i < b.n; i += 8) {
		uint64_t v;

		memcpy(&v, b.data + i, 8);
		v = __builtin_bswap64(i == 72 ? v << 32 | v >> 32 : v);
		memcpy(b.data + i, &v, 8);
	}
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_int_equal(h.features[0], 0x86717efc);
	bytes_done(&b);
}

static void the_order_of_version_1_shows_in_the_size_of_an_entry(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct file_header h;
	uint64_t size = 80;

	memcpy(b.data, "PERFFILE", 8);
	memcpy(b.data + 16, &size, 8);
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_int_equal(h.version, 1);
	assert_false(h.swap);
	size = __builtin_bswap64(size);
	memcpy(b.data + 16, &size, 8);
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_true(h.swap);
	size = 1234;
	memcpy(b.data + 16, &size, 8);
	assert_int_not_equal(file_header_decode(b.data, b.n, &h), 0);
	bytes_done(&b);
}

static void a_damaged_magic_is_known_by_the_rest(void **state)
{
	(void)state;
	struct bytes b = encoded();
	struct file_header h;

	b.data[2] = 0;
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_true(h.damaged);
	memset(b.data, 0, 8);
	assert_int_not_equal(file_header_decode(b.data, b.n, &h), 0);
	bytes_done(&b);
}

static void a_stream_is_two_words(void **state)
{
	(void)state;
	struct file_header h = { .is_stream = true };
	struct bytes b = { 0 };

	file_header_encode(&h, &b);
	assert_int_equal(b.n, STREAM_HEADER_SIZE);
	assert_int_equal(file_header_decode(b.data, b.n, &h), 0);
	assert_true(h.is_stream);
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_encoded_decodes),
		cmocka_unit_test(a_cut_header_is_refused),
		cmocka_unit_test(the_other_byte_order_shows_in_the_magic),
		cmocka_unit_test(a_writer_of_32_bits_has_the_halves_of_its_features_exchanged),
		cmocka_unit_test(the_order_of_version_1_shows_in_the_size_of_an_entry),
		cmocka_unit_test(a_damaged_magic_is_known_by_the_rest),
		cmocka_unit_test(a_stream_is_two_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
