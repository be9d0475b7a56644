/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "hwtrace/intel-pt-packet.h"

#define BYTES(...) ((const uint8_t[]){ __VA_ARGS__ }), sizeof((const uint8_t[]){ __VA_ARGS__ })

static struct pt_packet packet(const uint8_t *bytes, size_t n)
{
	enum pt_block block = PT_NO_BLOCK;
	struct pt_packet p = { 0 };

	assert_int_equal(pt_packet_decode(bytes, n, &block, &p), 0);
	return p;
}

static int refused(const uint8_t *bytes, size_t n)
{
	enum pt_block block = PT_BLOCK_8;
	struct pt_packet p = { .size = 99 };
	int r = pt_packet_decode(bytes, n, &block, &p);

	assert_int_equal(block, PT_BLOCK_8);
	assert_int_equal(p.size, 99);
	return r;
}

static void a_short_tnt_ends_at_its_highest_bit(void **state)
{
	(void)state;
	struct pt_packet p = packet(BYTES(0xb4)); /* 1 011010 0 */

	assert_int_equal(p.kind, PT_TNT);
	assert_int_equal(p.count, 6);
	assert_int_equal(p.payload, 0x1a);
	assert_int_equal(packet(BYTES(0x06)).count, 1);
}

static void a_long_tnt_has_up_to_47_branches(void **state)
{
	(void)state;
	struct pt_packet p = packet(BYTES(0x02, 0xa3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff));

	assert_int_equal(p.count, 47);
	assert_int_equal(p.payload, 0x7fffffffffff);
	assert_int_equal(p.size, 8);
	p = packet(BYTES(0x02, 0xa3, 0, 0, 0, 0, 0, 0));
	assert_int_equal(p.count, 0);
}

static void an_address_has_as_many_bytes_as_the_first_says(void **state)
{
	(void)state;
	static const uint8_t sizes[8] = { 1, 3, 5, 7, 7, 0, 9, 0 };
	static const uint8_t low[] = { 0x01, 0x0d, 0x11, 0x1d };
	static const enum pt_packet_kind kinds[] = { PT_TIP_PGD, PT_TIP, PT_TIP_PGE, PT_FUP };

	for (size_t k = 0; k < ARRAY_SIZE(low); k++)
		for (unsigned i = 0; i < 8; i++) {
			uint8_t bytes[9] = { (uint8_t)(i << 5 | low[k]), 1, 2, 3, 4, 5, 6, 7, 8 };

			if (!sizes[i]) {
				assert_int_equal(refused(bytes, 9), -EBADMSG);
				continue;
			}
			assert_int_equal(packet(bytes, 9).kind, kinds[k]);
			assert_int_equal(packet(bytes, 9).size, sizes[i]);
			assert_int_equal(packet(bytes, 9).ip_bytes, sizes[i] - 1);
			assert_int_equal(refused(bytes, sizes[i] - 1U), -ENODATA);
		}
	assert_int_equal(packet(BYTES(0x2d, 0x34, 0x12)).payload, 0x1234);
}

static void cycles_are_continued_by_a_bit(void **state)
{
	(void)state;
	assert_int_equal(packet(BYTES(0x0b)).payload, 1);
	assert_int_equal(packet(BYTES(0x07, 0x11, 0x92)).payload, 0x49100);
	assert_int_equal(refused(BYTES(0x07, 0x11)), -ENODATA);
	/* A cycle count has at most ten bytes. */
	assert_int_equal(refused(BYTES(0x07, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0)), -EBADMSG);
}

static void a_mode_names_its_leaf(void **state)
{
	(void)state;
	struct pt_packet p = packet(BYTES(0x99, 0x05));

	assert_int_equal(p.kind, PT_MODE_EXEC);
	assert_int_equal(p.payload, 64);
	assert_int_equal(p.count, 1);
	assert_int_equal(packet(BYTES(0x99, 0x22)).kind, PT_MODE_TSX);
	assert_int_equal(refused(BYTES(0x99, 0x03)), -EBADMSG);
	assert_int_equal(refused(BYTES(0x99, 0x40)), -EBADMSG);
	assert_int_equal(refused(BYTES(0x99)), -ENODATA);
}

static void inside_a_block_short_tnts_are_items(void **state)
{
	(void)state;
	static const uint8_t item[] = { 0x0c, 1, 2, 3, 4, 5, 6, 7, 8 };
	enum pt_block block = PT_NO_BLOCK;
	struct pt_packet p;

	assert_int_equal(pt_packet_decode(BYTES(0x02, 0x63, 0x81), &block, &p), 0);
	assert_int_equal(block, PT_BLOCK_4);
	assert_int_equal(pt_packet_decode(item, sizeof(item), &block, &p), 0);
	assert_int_equal(p.kind, PT_BIP);
	assert_int_equal(p.count, 1);
	assert_int_equal(p.payload, 0x04030201);
	/* Packets of time may come inside of a block. */
	assert_int_equal(pt_packet_decode(BYTES(0x59, 1), &block, &p), 0);
	assert_int_equal(block, PT_BLOCK_4);
	assert_int_equal(pt_packet_decode(BYTES(0x02, 0xb3), &block, &p), 0);
	assert_int_equal(p.has_ip, 1);
	assert_int_equal(block, PT_NO_BLOCK);
	assert_int_equal(pt_packet_decode(item, sizeof(item), &block, &p), 0);
	assert_int_equal(p.kind, PT_TNT);
}

static void a_packet_without_its_last_byte_is_refused(void **state)
{
	(void)state;
	static const struct {
		uint8_t opcode, size;
	} rows[] = {
		{ 0x03, 4 },  { 0x12, 6 }, { 0x13, 4 }, { 0x22, 4 }, { 0x32, 10 }, { 0x43, 8 },
		{ 0x53, 11 }, { 0x63, 3 }, { 0x73, 7 }, { 0xa2, 7 }, { 0xa3, 8 },  { 0xb2, 10 },
		{ 0xc2, 10 }, { 0xc8, 7 }, { 0x23, 2 }, { 0xf3, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t bytes[16] = { 0x02, rows[i].opcode };

		assert_int_equal(packet(bytes, sizeof(bytes)).size, rows[i].size);
		assert_int_equal(refused(bytes, rows[i].size - 1U), -ENODATA);
	}
	assert_int_equal(refused(NULL, 0), -ENODATA);
	assert_int_equal(refused(BYTES(0x02, 0xff)), -EBADMSG);
	assert_int_equal(refused(BYTES(0x02, 0xc3)), -ENODATA);
	assert_int_equal(refused(BYTES(0x02, 0xc3, 0x87, 0, 0, 0, 0, 0, 0, 0, 0)), -EBADMSG);
	assert_int_equal(packet(BYTES(0x02, 0xc3, 0x88, 1, 0, 0, 0, 0, 0, 0, 0)).payload, 1);
}

static void a_psb_is_its_pattern_to_the_end(void **state)
{
	(void)state;
	uint8_t psb[16];

	for (size_t i = 0; i < sizeof(psb); i++)
		psb[i] = i % 2 ? 0x82 : 0x02;
	assert_int_equal(packet(psb, sizeof(psb)).kind, PT_PSB);
	psb[15] = 0x02;
	assert_int_equal(refused(psb, sizeof(psb)), -EBADMSG);
}

static void fields_are_taken_apart(void **state)
{
	(void)state;
	struct pt_packet p = packet(BYTES(0x02, 0x73, 0x34, 0x12, 0xff, 0xa4, 0x75));

	assert_int_equal(p.payload, 0x1234);
	assert_int_equal(p.count, 0x1a4);
	p = packet(BYTES(0x02, 0x43, 0x03, 0, 0, 0, 0, 0));
	assert_int_equal(p.count, 1);
	assert_int_equal(p.payload, 1);
	p = packet(BYTES(0x02, 0x13, 0x9f, 0x0e));
	assert_int_equal(p.has_ip, 1);
	assert_int_equal(p.count, 0x1f);
	assert_int_equal(p.payload, 0x0e);
	p = packet(BYTES(0x02, 0x53, 0xff, 1, 0, 0, 0, 0, 0, 0, 0));
	assert_int_equal(p.count, 0x3f);
	assert_int_equal(p.payload, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_tnt_ends_at_its_highest_bit),
		cmocka_unit_test(a_long_tnt_has_up_to_47_branches),
		cmocka_unit_test(an_address_has_as_many_bytes_as_the_first_says),
		cmocka_unit_test(cycles_are_continued_by_a_bit),
		cmocka_unit_test(a_mode_names_its_leaf),
		cmocka_unit_test(inside_a_block_short_tnts_are_items),
		cmocka_unit_test(a_packet_without_its_last_byte_is_refused),
		cmocka_unit_test(a_psb_is_its_pattern_to_the_end),
		cmocka_unit_test(fields_are_taken_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
