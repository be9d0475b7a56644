/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "datafile/features.h"
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
	assert_int_equal(file_header_decode(b.data, b.n, &h), -EBADMSG);
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

/* Returns @h as a file in the machine's byte order, or in the other one. */
static struct bytes file_of(const struct file_header *h, bool swap)
{
	struct bytes b = { 0 };

	file_header_encode(h, &b);
	for (size_t i = 0; swap && i < b.n; i += 8) {
		uint64_t v;

		memcpy(&v, b.data + i, 8);
		v = __builtin_bswap64(v);
		memcpy(b.data + i, &v, 8);
	}
	return b;
}

static struct file_header decoded(struct bytes *b)
{
	struct file_header h = { 0 };

	assert_int_equal(file_header_decode(b->data, b->n, &h), 0);
	bytes_done(b);
	return h;
}

static void all_of_a_header_is_read_in_either_order(void **state)
{
	const struct file_header h = {
		.attr_size = 144,
		.attrs = { 1, 2 },
		.data = { 3, 4 },
		.event_types = { 5, 6 },
		.features = { 1UL << FEATURE_HOSTNAME, 7, 8, 9 },
	};

	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct bytes b = file_of(&h, swap);
		struct file_header got = decoded(&b);

		assert_int_equal(got.swap, swap);
		assert_int_equal(got.version, 2);
		assert_false(got.is_stream || got.damaged);
		assert_int_equal(got.attr_size, 144);
		assert_memory_equal(&got.attrs, &h.attrs, sizeof(h.attrs));
		assert_memory_equal(&got.data, &h.data, sizeof(h.data));
		assert_memory_equal(&got.event_types, &h.event_types, sizeof(h.event_types));
		assert_memory_equal(got.features, h.features, sizeof(h.features));
	}
}

/*
 * Reads a header with these features in its first word, and returns the features that are accepted.
 */
static uint64_t features_read(uint64_t written, bool swap)
{
	const struct file_header h = { .attr_size = 144, .features = { written, 5 } };
	struct bytes b = file_of(&h, swap);
	struct file_header got = decoded(&b);

	if (got.features[0] != UINT64_C(1) << FEATURE_BUILD_ID || !swap)
		assert_int_equal(got.features[1],
				 got.features[0] == written ? 5 : UINT64_C(5) << 32);
	else
		assert_int_equal(got.features[1], 0);
	return got.features[0];
}

static void features_without_a_host_name_are_doubted_in_the_other_order_only(void **state)
{
	const uint64_t host = UINT64_C(1) << FEATURE_HOSTNAME;

	(void)state;
	assert_int_equal(features_read(0xf0, false), 0xf0);
	assert_int_equal(features_read(0, false), 0);
	assert_int_equal(features_read(0, true), 0);
	assert_int_equal(features_read(host | 0x80, true), host | 0x80);
	assert_int_equal(features_read((host | 0x80) << 32 | 4, true),
			 host | 0x80 | UINT64_C(4) << 32);
	assert_int_equal(features_read(0xf0 & ~host, true), UINT64_C(1) << FEATURE_BUILD_ID);
}

static int decode_version_1(uint64_t entry_size, struct file_header *ret)
{
	_cleanup_(bytes_done) struct bytes b = encoded();

	memcpy(b.data, "PERFFILE", 8);
	memcpy(b.data + 16, &entry_size, 8);
	return file_header_decode(b.data, b.n, ret);
}

static void an_entry_of_version_1_has_one_of_five_sizes(void **state)
{
	static const uint64_t sizes[] = { 80, 88, 96, 112, 120 };
	struct file_header h;

	(void)state;
	for (uint64_t size = 0; size < 200; size++) {
		bool known = false;

		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
			known |= size == sizes[i];
		assert_int_equal(decode_version_1(size, &h), known ? 0 : -EBADMSG);
		if (!known)
			continue;
		assert_int_equal(h.version, 1);
		assert_false(h.swap || h.damaged);
		assert_int_equal(h.attr_size, size);
		assert_int_equal(decode_version_1(__builtin_bswap64(size), &h), 0);
		assert_true(h.swap);
	}
}

/*
 * Returns the result of decoding a header with @n wrong bytes in its magic and @size as its own
 * size.
 */
static int decode_damaged(size_t n, uint64_t size, struct file_header *ret)
{
	_cleanup_(bytes_done) struct bytes b = encoded();

	memset(b.data, 0xff, n);
	memcpy(b.data + 8, &size, 8);
	return file_header_decode(b.data, b.n, ret);
}

static void five_right_bytes_of_the_magic_are_enough_if_the_size_is_known(void **state)
{
	struct file_header h;

	(void)state;
	assert_int_equal(decode_damaged(0, FILE_HEADER_SIZE, &h), 0);
	assert_false(h.damaged);
	assert_int_equal(decode_damaged(0, 105, &h), 0);
	assert_true(h.damaged);
	assert_false(h.is_stream);
	assert_int_equal(decode_damaged(3, FILE_HEADER_SIZE, &h), 0);
	assert_true(h.damaged);
	assert_int_equal(decode_damaged(3, STREAM_HEADER_SIZE, &h), 0);
	assert_true(h.damaged && h.is_stream);
	assert_int_equal(decode_damaged(3, 105, &h), -EBADMSG);
	assert_int_equal(decode_damaged(4, FILE_HEADER_SIZE, &h), -EBADMSG);
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
		cmocka_unit_test(all_of_a_header_is_read_in_either_order),
		cmocka_unit_test(features_without_a_host_name_are_doubted_in_the_other_order_only),
		cmocka_unit_test(an_entry_of_version_1_has_one_of_five_sizes),
		cmocka_unit_test(five_right_bytes_of_the_magic_are_enough_if_the_size_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
