/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/spe-packet.h"

#define AT(...)                                                                                    \
	({                                                                                         \
		static const uint8_t b_[] = { __VA_ARGS__ };                                       \
		spe_packet_at(b_, sizeof(b_), 0);                                                  \
	})

static void assert_is(struct spe_packet p, enum spe_packet_type type, unsigned index, size_t size,
		      uint64_t payload)
{
	assert_int_equal(p.type, type);
	assert_int_equal(p.index, index);
	assert_int_equal(p.size, size);
	assert_int_equal(p.payload, payload);
}

static void every_kind_is_known_by_its_header(void **state)
{
	(void)state;
	assert_is(AT(0x01), SPE_END, 0, 1, 0);
	assert_is(AT(0x71, 1, 2, 3, 4, 5, 6, 7, 8), SPE_TIMESTAMP, 0, 9, 0x0807060504030201);
	assert_is(AT(0xb2, 1, 0, 0, 0, 0, 0, 0, 0x80), SPE_ADDRESS, SPE_ADDRESS_DATA_VIRTUAL, 9,
		  0x8000000000000001);
	assert_is(AT(0x99, 0x34, 0x12), SPE_COUNTER, SPE_COUNTER_ISSUE, 3, 0x1234);
	assert_is(AT(0x65, 1, 0, 0, 0), SPE_CONTEXT, 1, 5, 1);
	assert_is(AT(0x4a, 3), SPE_OP_TYPE, SPE_OP_BRANCH, 2, 3);
	assert_is(AT(0x42, 1), SPE_EVENTS, 0, 2, 1);
	assert_is(AT(0x62, 1, 2, 3, 4), SPE_EVENTS, 0, 5, 0x04030201);
	assert_is(AT(0x43, 9), SPE_DATA_SOURCE, 0, 2, 9);
}

static void an_extended_header_makes_the_index_larger(void **state)
{
	(void)state;
	assert_is(AT(0x21, 0xb1, 0, 0, 0, 0, 0, 0, 0, 0), SPE_ADDRESS, 9, 10, 0);
	assert_is(AT(0x23, 0x98, 1, 0), SPE_COUNTER, 24, 4, 1);
	/* Other packets have no extended header. */
	assert_is(AT(0x20, 0x42, 1), SPE_BAD, 0, 1, 0);
}

static void padding_is_taken_together(void **state)
{
	static const uint8_t zeros[40];

	(void)state;
	assert_is(AT(0, 0, 0, 0x01), SPE_PAD, 0, 3, 0);
	assert_is(spe_packet_at(zeros, sizeof(zeros), 0), SPE_PAD, 0, 16, 0);
}

static void packets_are_aligned_by_where_they_are(void **state)
{
	static const uint8_t b[] = { 0x22, 0, 9, 9, 9, 9, 9, 9, 9 };

	(void)state;
	assert_is(spe_packet_at(b, sizeof(b), 16), SPE_PAD, 0, 8, 0);
	assert_is(spe_packet_at(b, sizeof(b), 21), SPE_PAD, 0, 3, 0);
	assert_is(spe_packet_at(b, 7, 21), SPE_BAD, 0, 1, 0);
}

static void what_is_cut_off_is_bad(void **state)
{
	static const uint8_t b[] = { 0x71, 1, 2, 3, 4, 5, 6, 7, 8 };
	static const uint8_t e[] = { 0x20, 0xb0, 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	for (size_t n = 1; n < sizeof(b); n++)
		assert_is(spe_packet_at(b, n, 0), SPE_BAD, 0, 1, 0);
	for (size_t n = 1; n < sizeof(e); n++)
		assert_is(spe_packet_at(e, n, 0), SPE_BAD, 0, 1, 0);
}

static void unknown_headers_are_bad(void **state)
{
	(void)state;
	assert_is(AT(0x02, 0), SPE_BAD, 0, 1, 0);
	assert_is(AT(0x24, 0xb0), SPE_BAD, 0, 1, 0);
	assert_is(AT(0x58, 0, 0), SPE_BAD, 0, 1, 0); /* an operation of two bytes */
	assert_is(AT(0xff), SPE_BAD, 0, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_known_by_its_header),
		cmocka_unit_test(an_extended_header_makes_the_index_larger),
		cmocka_unit_test(padding_is_taken_together),
		cmocka_unit_test(packets_are_aligned_by_where_they_are),
		cmocka_unit_test(what_is_cut_off_is_bad),
		cmocka_unit_test(unknown_headers_are_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
