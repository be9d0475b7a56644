/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwtrace/decoder.h"
#include "hwtrace/spe-packet.h"
#include "hwtrace/spe-record.h"
#include "wire/sample.h"

static const uint8_t whole[] = {
	0xb0, 0x10, 0x40, 0, 0, 0, 0, 0, 0x80, /* PC 0x4010, EL0 */
	0x64, 42,   0,    0, 0,                /* context */
	0x52, 0x16, 0,                         /* retired, L1D and TLB access */
	0x49, 0,                               /* a load */
	0xb2, 0,    1,    0, 0, 0, 0, 0, 0,    /* VA 0x100 */
	0x43, 8,                               /* source */
	0x98, 7,    0,                         /* total latency */
	0x71, 5,    0,    0, 0, 0, 0, 0, 0,    /* timestamp */
};

static void packets_up_to_a_timestamp_are_a_record(void **state)
{
	struct aux_piece p = { .bytes = whole, .size = sizeof(whole) };
	struct aux_queue q = { .items = &p, .n = 1 };
	struct spe_reader r = { .queue = &q };

	(void)state;
	assert_int_equal(spe_reader_next(&r), SPE_READ_RECORD);
	assert_int_equal(r.record.from, 0x4010);
	assert_true(r.record.has_context);
	assert_int_equal(r.record.context, 42);
	assert_int_equal(r.record.events, 0x16);
	assert_int_equal(r.record.op, SPE_LOAD);
	assert_int_equal(r.record.virtual_address, 0x100);
	assert_int_equal(r.record.source, 8);
	assert_int_equal(r.record.latency, 7);
	assert_int_equal(r.record.ticks, 5);
	assert_int_equal(spe_reader_next(&r), SPE_READ_END);
}

static void a_record_may_go_on_in_the_next_piece(void **state)
{
	struct aux_piece p[] = { { .bytes = whole, .size = 17 },
				 { .bytes = whole, .size = 0 },
				 { .bytes = whole + 17, .size = sizeof(whole) - 17 } };
	struct aux_queue q = { .items = p, .n = 1 };
	struct spe_reader r = { .queue = &q };

	(void)state;
	assert_int_equal(spe_reader_next(&r), SPE_READ_END);
	/* The rest arrives later, as in a stream. */
	q.n = 3;
	assert_int_equal(spe_reader_next(&r), SPE_READ_RECORD);
	assert_int_equal(r.record.context, 42);
	assert_int_equal(r.record.ticks, 5);
}

static void assert_simd(uint8_t class, uint8_t op, uint32_t events, unsigned simd)
{
	const uint8_t bytes[] = { 0x62, 0, 0, (uint8_t)(events >> 16), 0, class, op, 0x01 };
	struct aux_piece p = { .bytes = bytes, .size = sizeof(bytes) };
	struct aux_queue q = { .items = &p, .n = 1 };
	struct spe_reader r = { .queue = &q };

	assert_int_equal(spe_reader_next(&r), SPE_READ_RECORD);
	assert_int_equal(spe_simd(&r.record), simd);
}

static void operations_tell_the_extension_and_its_predicate(void **state)
{
	(void)state;
	assert_simd(0x48, 0x08, 0, SIMD_SVE | SIMD_UNPREDICATED);
	assert_simd(0x48, 0x08, SPE_EVENT_SVE_EMPTY, SIMD_SVE | SIMD_UNPREDICATED);
	assert_simd(0x48, 0x0c, 0, SIMD_SVE | SIMD_FULL);
	assert_simd(0x48, 0x0c, SPE_EVENT_SVE_EMPTY, SIMD_SVE | SIMD_EMPTY);
	assert_simd(0x48, 0x0c, SPE_EVENT_SVE_EMPTY | SPE_EVENT_SVE_PARTIAL,
		    SIMD_SVE | SIMD_PARTIAL);
	assert_simd(0x48, 0x88, 0, SIMD_SME);
	assert_simd(0x48, 0x06, 0, SIMD_ASE);
	assert_simd(0x48, 0x00, SPE_EVENT_SVE_EMPTY, SIMD_NONE);
	assert_simd(0x49, 0x9d, 0, SIMD_SVE | SIMD_FULL);
	assert_simd(0x49, 0x05, 0, SIMD_ASE);
	assert_simd(0x49, 0x06, 0, SIMD_NONE);
	assert_simd(0x4a, 0x0c, 0, SIMD_NONE);
}

static void a_bad_packet_ends_a_record(void **state)
{
	static const uint8_t bytes[] = { 0x42, 2, 0xff, 0x42, 4, 0x01 };
	static const uint8_t unknown_class[] = { 0x42, 2, 0x4b, 0, 0x01 };
	struct aux_piece p = { .bytes = bytes, .size = sizeof(bytes) };
	struct aux_queue q = { .items = &p, .n = 1 };
	struct spe_reader r = { .queue = &q };

	(void)state;
	assert_int_equal(spe_reader_next(&r), SPE_READ_BAD);
	assert_int_equal(r.record.events, 2);
	assert_int_equal(spe_reader_next(&r), SPE_READ_RECORD);
	assert_int_equal(r.record.events, 4);
	assert_int_equal(r.record.ticks, 0);
	p = (struct aux_piece){ .bytes = unknown_class, .size = sizeof(unknown_class) };
	r = (struct spe_reader){ .queue = &q };
	assert_int_equal(spe_reader_next(&r), SPE_READ_BAD);
}

static void addresses_are_those_that_are_mapped(void **state)
{
	(void)state;
	assert_int_equal(spe_code_address(0x8000000000401000), 0x401000);
	assert_int_equal(spe_code_address(0xa0ff800010000000), 0xffff800010000000);
	assert_int_equal(spe_code_address(0xc0ff800010000000), 0xffff800010000000);
	assert_int_equal(spe_code_address(0x20ff800010000000), 0x00ff800010000000);
	assert_int_equal(spe_code_address(0xe0ff800010000000), 0x00ff800010000000);
	assert_int_equal(spe_data_address(0xab00007f00001000), 0x7f00001000);
	assert_int_equal(spe_data_address(0x12ff800010000000), 0xffff800010000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_up_to_a_timestamp_are_a_record),
		cmocka_unit_test(a_record_may_go_on_in_the_next_piece),
		cmocka_unit_test(operations_tell_the_extension_and_its_predicate),
		cmocka_unit_test(a_bad_packet_ends_a_record),
		cmocka_unit_test(addresses_are_those_that_are_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
