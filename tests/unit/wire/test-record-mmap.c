/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void a_map_is_a_range_of_a_file(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b =
			bytes_of(swap, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, "wwqqqs", 7, 8,
				 0x400000UL, 0x1000UL, 0x2000UL, "/bin/true");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.mmap.pid, 7);
		assert_int_equal(r.mmap.tid, 8);
		assert_int_equal(r.mmap.addr, 0x400000);
		assert_int_equal(r.mmap.len, 0x1000);
		assert_int_equal(r.mmap.pgoff, 0x2000);
		assert_string_equal(r.mmap.filename, "/bin/true");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 32 + 10, NULL);
	}
}

static void a_map_of_the_second_kind_has_the_inode(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_MMAP2, 0,
								"wwqqqwwqqwws", 7, 8, 1UL, 2UL, 3UL,
								4, 5, 6UL, 7UL, 5, 2, "[vdso]");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.mmap.pgoff, 3);
		assert_int_equal(r.mmap.maj, 4);
		assert_int_equal(r.mmap.min, 5);
		assert_int_equal(r.mmap.ino, 6);
		assert_int_equal(r.mmap.ino_generation, 7);
		assert_int_equal(r.mmap.build_id.size, 0);
		assert_int_equal(r.mmap.prot, 5);
		assert_int_equal(r.mmap.flags, 2);
		assert_string_equal(r.mmap.filename, "[vdso]");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 64 + 7, NULL);
	}
}

static void a_build_id_stands_in_for_the_inode(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID,
			"wwqqqbbhbbbbbbbbbbbbbbbbbbbbwws", 7, 8, 1UL, 2UL, 3UL, 20, 0, 0, 1, 2, 3,
			4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 5, 2, "x");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.mmap.build_id.size, 20);
		assert_int_equal(r.mmap.build_id.bytes[0], 1);
		assert_int_equal(r.mmap.build_id.bytes[19], 20);
		assert_int_equal(r.mmap.ino, 0);
		assert_int_equal(r.mmap.prot, 5);
		assert_string_equal(r.mmap.filename, "x");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 64 + 2, NULL);
	}
}

static void a_build_id_of_more_than_20_bytes_is_refused(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b =
		bytes_of(false, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, "wwqqqbbhwqqwws",
			 7, 8, 1UL, 2UL, 3UL, 21, 0, 0, 0, 0UL, 0UL, 5, 2, "x");
	const struct attr asked = { .build_id = 1 };
	struct record r;

	assert_int_equal(record_decode(b.data, b.n, false, &asked, &r), -EBADMSG);
}

/* The kernel leaves the bit of another event's record set: this one has device 254:1, inode 6. */
static void an_inode_is_one_although_the_bit_of_build_ids_is_left_over(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			swap, PERF_RECORD_MMAP2,
			PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, "wwqqqwwqqwws", 7,
			8, 1UL, 2UL, 3UL, 254, 1, 6UL, 0xfedcba98UL, 5, 2, "/bin/x");
		const struct attr not_asked = { .mmap2 = 1 };
		struct record r = decoded(&b, swap, &not_asked);

		assert_int_equal(r.mmap.maj, 254);
		assert_int_equal(r.mmap.min, 1);
		assert_int_equal(r.mmap.ino, 6);
		assert_int_equal(r.mmap.ino_generation, 0xfedcba98);
		assert_int_equal(r.mmap.build_id.size, 0);
		assert_int_equal(r.header.misc, PERF_RECORD_MISC_USER);
		assert_string_equal(r.mmap.filename, "/bin/x");
	}
}

/* A device number may look like a size: 8:1 is the first partition of the first SCSI disk. */
static void
an_inode_whose_device_could_be_a_size_is_an_inode_unless_build_ids_were_asked_for(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b =
		bytes_of(false, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, "wwqqqwwqqwws",
			 7, 8, 1UL, 2UL, 3UL, 8, 1, 6UL, 7UL, 5, 2, "/bin/x");
	const struct attr not_asked = { .mmap2 = 1 }, asked = { .mmap2 = 1, .build_id = 1 };

	assert_int_equal(decoded(&b, false, &not_asked).mmap.ino, 6);
	assert_int_equal(decoded(&b, false, &asked).mmap.build_id.size, 8);
}

/* A generation of more than 32 bits; and, behind a possible size of 8, bytes that are not 0. */
static void what_can_be_neither_an_inode_nor_a_build_id_is_refused(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b =
		bytes_of(false, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, "wwqqqwwqqwws",
			 7, 8, 1UL, 2UL, 3UL, 0x10008, 1, 6UL, 1UL << 32, 5, 2, "/bin/x");
	const struct attr not_asked = { .mmap2 = 1 };
	struct record r;

	assert_int_equal(record_decode(b.data, b.n, false, &not_asked, &r), -EBADMSG);
}

/* Linux's `perf inject --mmap2-buildid-all` leaves such records. */
static void a_build_id_that_cannot_be_an_inode_is_one_although_the_attr_lacks_it(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(
		false, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, "wwqqqbbhwqqwws", 7, 8,
		1UL, 2UL, 3UL, 20, 0, 0, 0xabcdef01, 2UL, 0x0102030400000001UL, 5, 2, "/bin/x");
	const struct attr not_asked = { .mmap2 = 1 };

	assert_int_equal(decoded(&b, false, &not_asked).mmap.build_id.size, 20);
}

static void what_follows_the_end_of_a_name_is_not_looked_at(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_MMAP, 0, "wwqqqq", 7, 8,
							1UL, 2UL, 3UL, 0x6161616161610061UL);
	struct record r = decoded(&b, false, NULL);

	assert_string_equal(r.mmap.filename, "a");
}

/*
 * Returns a map whose bit of build-ids is set, with this device and generation in the place of a
 * build-id.
 */
static struct record map_with_inode(uint32_t maj, uint32_t min, uint64_t generation)
{
	_cleanup_(bytes_done) struct bytes b =
		bytes_of(false, PERF_RECORD_MMAP2, PERF_RECORD_MISC_MMAP_BUILD_ID, "wwqqqwwqqwws",
			 7, 8, 1UL, 2UL, 3UL, maj, min, 6UL, generation, 5, 2, "x");
	struct record r = { 0 };

	if (record_decode(b.data, b.n, false, NULL, &r) < 0)
		r.header.type = 0;
	r.mmap.filename = NULL;
	return r;
}

static void device_numbers_have_12_and_20_bits_and_generations_32(void **state)
{
	struct record r;

	(void)state;
	r = map_with_inode(0xfff, 0xfffff, UINT32_MAX);
	assert_int_equal(r.header.type, PERF_RECORD_MMAP2);
	assert_int_equal(r.mmap.build_id.size, 0);
	assert_int_equal(r.mmap.maj, 0xfff);
	assert_int_equal(r.mmap.min, 0xfffff);
	assert_int_equal(r.mmap.ino_generation, UINT32_MAX);
	/* The low byte of the device is the size of a build-id; its other bytes must be 0. */
	assert_int_equal(map_with_inode(8, 1 << 20, 0).mmap.build_id.size, 8);
	assert_int_equal(map_with_inode(8, 0, 1UL << 32).mmap.build_id.size, 8);
	assert_int_equal(map_with_inode(20, 0, 1UL << 32).mmap.build_id.size, 20);
	assert_int_equal(map_with_inode(21, 0, 1UL << 32).header.type, 0);
	assert_int_equal(map_with_inode(0x1000, 0, 0).header.type, 0);
	assert_int_equal(map_with_inode(0x100, 0, 1UL << 32).header.type, 0);
	assert_int_equal(map_with_inode(0x10000, 0, 0).header.type, 0);
	assert_int_equal(map_with_inode(0x1000000, 0, 0).header.type, 0);
}

static void without_its_bit_there_is_no_build_id_although_it_was_asked_for(void **state)
{
	_cleanup_(bytes_done) struct bytes b =
		bytes_of(false, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, "wwqqqwwqqwws", 7, 8, 1UL,
			 2UL, 3UL, 8, 1, 6UL, 7UL, 5, 2, "/bin/x");
	const struct attr asked = { .mmap2 = 1, .build_id = 1 };
	struct record r = decoded(&b, false, &asked);

	(void)state;
	assert_int_equal(r.mmap.build_id.size, 0);
	assert_int_equal(r.mmap.maj, 8);
	assert_int_equal(r.mmap.ino, 6);
	assert_int_equal(r.header.misc, PERF_RECORD_MISC_USER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_is_a_range_of_a_file),
		cmocka_unit_test(a_map_of_the_second_kind_has_the_inode),
		cmocka_unit_test(a_build_id_stands_in_for_the_inode),
		cmocka_unit_test(a_build_id_of_more_than_20_bytes_is_refused),
		cmocka_unit_test(an_inode_is_one_although_the_bit_of_build_ids_is_left_over),
		cmocka_unit_test(what_can_be_neither_an_inode_nor_a_build_id_is_refused),
		cmocka_unit_test(
			an_inode_whose_device_could_be_a_size_is_an_inode_unless_build_ids_were_asked_for),
		cmocka_unit_test(
			a_build_id_that_cannot_be_an_inode_is_one_although_the_attr_lacks_it),
		cmocka_unit_test(what_follows_the_end_of_a_name_is_not_looked_at),
		cmocka_unit_test(device_numbers_have_12_and_20_bits_and_generations_32),
		cmocka_unit_test(without_its_bit_there_is_no_build_id_although_it_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
