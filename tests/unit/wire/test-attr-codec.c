/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "wire/attr-codec.h"

static void a_short_attr_has_zeros_for_what_it_lacks(void **state)
{
	(void)state;
	struct attr in = { .type = 1, .size = 64, .config1 = 7, .config2 = 8 }, out;
	bool unknown;

	assert_int_equal(attr_decode(&in, sizeof(in), false, &out, &unknown), 0);
	assert_int_equal(out.config1, 7);
	assert_int_equal(out.config2, 0);
	assert_int_equal(out.size, 64);
	assert_false(unknown);
}

static void a_size_of_zero_means_the_first_version(void **state)
{
	(void)state;
	struct attr in = { .type = 2, .config1 = 7, .config2 = 8 }, out;
	bool unknown;

	assert_int_equal(attr_decode(&in, sizeof(in), false, &out, &unknown), 0);
	assert_int_equal(out.config1, 7);
	assert_int_equal(out.config2, 0);
}

static void a_newer_attr_tells_whether_its_tail_matters(void **state)
{
	(void)state;
	uint8_t bytes[sizeof(struct attr) + 16] = { 0 };
	uint32_t size = sizeof(bytes);
	struct attr out;
	bool unknown;

	memcpy(bytes + offsetof(struct attr, size), &size, sizeof(size));
	assert_int_equal(attr_decode(bytes, sizeof(bytes), false, &out, &unknown), 0);
	assert_int_equal(out.size, sizeof(bytes));
	assert_false(unknown);
	bytes[sizeof(bytes) - 1] = 1;
	assert_int_equal(attr_decode(bytes, sizeof(bytes), false, &out, &unknown), 0);
	assert_true(unknown);
}

static void an_attr_below_the_first_version_is_refused(void **state)
{
	(void)state;
	struct attr in = { .size = 63 }, out = { .type = 9 };
	bool unknown = true;

	assert_int_equal(attr_decode(&in, sizeof(in), false, &out, &unknown), -EBADMSG);
	in.size = 64;
	assert_int_equal(attr_decode(&in, 63, false, &out, &unknown), -EBADMSG);
	assert_int_equal(out.type, 9);
	assert_true(unknown);
}

static void an_attr_larger_than_its_bytes_is_refused(void **state)
{
	(void)state;
	struct attr in = { .size = 72 }, out;
	bool unknown;

	assert_int_equal(attr_decode(&in, 71, false, &out, &unknown), -EBADMSG);
	assert_int_equal(attr_decode(&in, 72, false, &out, &unknown), 0);
}

static void an_attr_that_ends_within_a_field_is_refused(void **state)
{
	(void)state;
	struct attr in = { .size = 71 }, out;
	bool unknown;

	assert_int_equal(attr_decode(&in, sizeof(in), false, &out, &unknown), -EBADMSG);
}

/*
 * The bytes that a big-endian machine writes: each field is reversed, and in the flags the bits of
 * each byte.
 */
static void the_other_byte_order_is_turned_around(void **state)
{
	(void)state;
	static const uint8_t in[112] = {
		[3] = 1,   /* type 1 */
		[7] = 112, /* size */
		[14] = 1,
		[15] = 2, /* config 0x102 */
		[30] = 1,
		[31] = 7,           /* sample_type */
		[40] = 0x80 | 0x40, /* disabled, inherit */
		[41] = 0x80 | 0x40, /* mmap, comm */
		[42] = 0x20,        /* sample_id_all */
		[44] = 0x40,        /* text_poke */
		[51] = 5,           /* wakeup_events */
		[63] = 6,           /* config1 */
		[91] = 16,          /* sample_stack_user */
		[95] = 1,           /* clockid */
		[107] = 3,          /* aux_watermark */
		[108] = 0,
		[109] = 8, /* sample_max_stack */
	};
	struct attr a;
	bool unknown;

	assert_int_equal(attr_decode(in, sizeof(in), true, &a, &unknown), 0);
	assert_int_equal(a.type, 1);
	assert_int_equal(a.size, 112);
	assert_int_equal(a.config, 0x102);
	assert_int_equal(a.sample_type, 0x107);
	assert_true(a.disabled && a.inherit && a.mmap && a.comm && a.sample_id_all && a.text_poke);
	assert_false(a.pinned || a.freq || a.exclude_host || a.cgroup);
	assert_int_equal(a.wakeup_events, 5);
	assert_int_equal(a.config1, 6);
	assert_int_equal(a.sample_stack_user, 16);
	assert_int_equal(a.clockid, 1);
	assert_int_equal(a.aux_watermark, 3);
	assert_int_equal(a.sample_max_stack, 8);
}

static void the_two_bits_of_precision_keep_their_value(void **state)
{
	(void)state;
	/*
	 * precise_ip is bits 15 and 16: the lowest of byte 41 and the highest of byte 42, mirrored.
	 */
	uint8_t in[64] = { [7] = 64, [41] = 0x01, [42] = 0x00 };
	struct attr a;
	bool unknown;

	assert_int_equal(attr_decode(in, sizeof(in), true, &a, &unknown), 0);
	assert_int_equal(a.precise_ip, 1);
	in[42] = 0x80;
	assert_int_equal(attr_decode(in, sizeof(in), true, &a, &unknown), 0);
	assert_int_equal(a.precise_ip, 3);
}

static void the_size_needed_is_the_smallest_that_holds_all(void **state)
{
	(void)state;
	assert_int_equal(attr_size_needed(&(struct attr){ .config1 = 1 }), 64);
	assert_int_equal(attr_size_needed(&(struct attr){ .size = 144 }), 64);
	assert_int_equal(attr_size_needed(&(struct attr){ .config2 = 1 }), 72);
	assert_int_equal(attr_size_needed(&(struct attr){ .branch_sample_type = 1 }), 80);
	assert_int_equal(attr_size_needed(&(struct attr){ .clockid = 1 }), 96);
	assert_int_equal(attr_size_needed(&(struct attr){ .sample_regs_intr = 1 }), 104);
	assert_int_equal(attr_size_needed(&(struct attr){ .sample_max_stack = 1 }), 112);
	assert_int_equal(attr_size_needed(&(struct attr){ .aux_sample_size = 1 }), 120);
	assert_int_equal(attr_size_needed(&(struct attr){ .sig_data = 1 }), 128);
	assert_int_equal(attr_size_needed(&(struct attr){ .config3 = 1 }), 136);
	assert_int_equal(attr_size_needed(&(struct attr){ .config4 = 1 }), 144);
}

static void only_some_events_have_addresses_with_names(void **state)
{
	struct attr a = { .type = PERF_TYPE_SOFTWARE,
			  .config = PERF_COUNT_SW_PAGE_FAULTS,
			  .sample_type = PERF_SAMPLE_ADDR };

	(void)state;
	assert_true(attr_addr_has_symbols(&a));
	a.sample_type = 0;
	assert_false(attr_addr_has_symbols(&a));
	a = (struct attr){ .sample_type = PERF_SAMPLE_ADDR };
	assert_false(attr_addr_has_symbols(&a));
	a.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	a.sample_period = 1;
	assert_true(attr_addr_has_symbols(&a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_some_events_have_addresses_with_names),
		cmocka_unit_test(a_short_attr_has_zeros_for_what_it_lacks),
		cmocka_unit_test(a_size_of_zero_means_the_first_version),
		cmocka_unit_test(a_newer_attr_tells_whether_its_tail_matters),
		cmocka_unit_test(an_attr_below_the_first_version_is_refused),
		cmocka_unit_test(an_attr_larger_than_its_bytes_is_refused),
		cmocka_unit_test(an_attr_that_ends_within_a_field_is_refused),
		cmocka_unit_test(the_other_byte_order_is_turned_around),
		cmocka_unit_test(the_two_bits_of_precision_keep_their_value),
		cmocka_unit_test(the_size_needed_is_the_smallest_that_holds_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
