/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/attr-codec.h"
#include "wire/record.h"

static const struct attr trailer = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_RAW,
	.sample_id_all = 1,
};

static void a_header_is_read_in_either_order(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, 0x01020304, 0x0506, "q", 0UL);
		struct record_header h;

		assert_int_equal(record_header_decode(b.data, b.n, swap, &h), 0);
		assert_int_equal(h.type, 0x01020304);
		assert_int_equal(h.misc, 0x0506);
		assert_int_equal(h.size, 16);
	}
}

static void a_header_that_is_cut_or_too_small_is_refused(void **state)
{
	(void)state;
	static const uint8_t small[8] = { 9, 0, 0, 0, 0, 0, 7, 0 };
	static const uint8_t whole[8] = { 9, 0, 0, 0, 0, 0, 8, 0 };
	struct record_header h = { .type = 5 };

	assert_int_equal(record_header_decode(small, 8, false, &h), -EBADMSG);
	assert_int_equal(record_header_decode(whole, 7, false, &h), -EBADMSG);
	assert_int_equal(h.type, 5);
	assert_int_equal(record_header_decode(whole, 8, false, &h), 0);
}

static void a_record_larger_than_its_bytes_is_refused(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_LOST, 0, "qq", 1UL, 2UL);
	struct record r;

	assert_int_equal(record_decode(b.data, b.n - 1, false, NULL, &r), -EBADMSG);
	assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), 0);
}

static void the_trailer_is_found_from_the_end(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_LOST, 0,
								"qqwwqqqwwq", 1UL, 2UL, 10, 11,
								12UL, 13UL, 14UL, 15, 0, 16UL);
		struct record r = decoded(&b, swap, &trailer);

		assert_int_equal(record_trailer_size(&trailer), 48);
		assert_int_equal(r.lost.id, 1);
		assert_int_equal(r.lost.lost, 2);
		assert_int_equal(r.id.pid, 10);
		assert_int_equal(r.id.tid, 11);
		assert_int_equal(r.id.time, 12);
		assert_int_equal(r.id.stream_id, 14);
		assert_int_equal(r.id.cpu, 15);
		assert_int_equal(r.id.id, 16); /* IDENTIFIER has priority over ID */
	}
}

static void the_trailer_alone_can_be_had(void **state)
{
	(void)state;
	static const struct attr time = { .sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1 };
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, 14, 0, "q", 99UL);
	struct sample_id id;

	assert_true(record_trailer(b.data, b.n, false, &time, &id));
	assert_int_equal(id.time, 99);
	assert_int_equal(id.cpu, UINT32_MAX);
	assert_false(record_trailer(b.data, b.n - 1, false, &time, &id));
}

static void without_sample_id_all_there_is_no_trailer(void **state)
{
	(void)state;
	struct attr without = trailer;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_LOST, 0, "qq", 1UL, 2UL);
	struct record r;

	without.sample_id_all = 0;
	r = decoded(&b, false, &without);
	assert_int_equal(r.id.time, 0);
	assert_int_equal(r.id.cpu, UINT32_MAX);
	assert_int_equal(record_trailer_size(&without), 0);
	assert_int_equal(record_trailer_size(NULL), 0);
	assert_int_equal(record_decode(b.data, b.n, false, &trailer, &r), -EBADMSG);
}

static void the_trailer_is_no_part_of_a_string(void **state)
{
	(void)state;
	static const struct attr time = { .sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1 };
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_COMM, 0, "wwqq", 1, 2,
							0x6161616161616161UL, 0UL);
	struct record r;

	assert_int_equal(record_decode(b.data, b.n, false, &time, &r), -EBADMSG);
	assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), 0);
}

/* Checks a kernel's record with only this one field in its trailer. */
static void assert_trailer_has_only(uint64_t field, struct sample_id want)
{
	const struct attr one = { .sample_type = field, .sample_id_all = 1 };
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_SWITCH, 0, "ww", 21,
							field == PERF_SAMPLE_CPU ? 0 : 22);
	struct record r = decoded(&b, false, &one);

	assert_int_equal(record_trailer_size(&one), 8);
	assert_int_equal(r.id.pid, want.pid);
	assert_int_equal(r.id.tid, want.tid);
	assert_int_equal(r.id.time, want.time);
	assert_int_equal(r.id.id, want.id);
	assert_int_equal(r.id.stream_id, want.stream_id);
	assert_int_equal(r.id.cpu, want.cpu);
	assert_encodes_to(&r, &one, &b);
}

static void each_field_of_the_trailer_can_be_the_only_one(void **state)
{
	(void)state;
	const uint64_t v = 21 | 22UL << 32;
	const uint32_t none = UINT32_MAX;

	assert_trailer_has_only(PERF_SAMPLE_TID,
				(struct sample_id){ .pid = 21, .tid = 22, .cpu = none });
	assert_trailer_has_only(PERF_SAMPLE_TIME, (struct sample_id){ .time = v, .cpu = none });
	assert_trailer_has_only(PERF_SAMPLE_ID, (struct sample_id){ .id = v, .cpu = none });
	assert_trailer_has_only(PERF_SAMPLE_STREAM_ID,
				(struct sample_id){ .stream_id = v, .cpu = none });
	assert_trailer_has_only(PERF_SAMPLE_CPU, (struct sample_id){ .cpu = 21 });
	assert_trailer_has_only(PERF_SAMPLE_IDENTIFIER, (struct sample_id){ .id = v, .cpu = none });
}

static void the_first_type_of_perfs_own_has_no_trailer(void **state)
{
	(void)state;
	struct record first = {
		.header = { .type = PERF_RECORD_USER_FIRST },
		.attr = { .attr = { .size = ATTR_SIZE_MIN } },
	};
	_cleanup_(bytes_done) struct bytes last = bytes_of(false, PERF_RECORD_USER_FIRST - 1, 0,
							   "");
	_cleanup_(bytes_done) struct bytes out = { 0 };
	struct record r;

	assert_int_equal(record_encode(&first, &trailer, &out), 0);
	assert_int_equal(out.n, RECORD_HEADER_SIZE + ATTR_SIZE_MIN);
	assert_int_equal(record_decode(last.data, last.n, false, &trailer, &r), -EBADMSG);
}

static void perfs_own_records_have_no_trailer(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_FINISHED_ROUND, 0, "");
	struct record r = decoded(&b, false, &trailer);

	assert_int_equal(r.header.size, 8);
	assert_int_equal(r.id.cpu, 0);
	assert_encodes_to(&r, &trailer, &b);
}

static void a_type_from_the_future_has_its_header_and_trailer(void **state)
{
	(void)state;
	static const struct attr time = { .sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1 };
	_cleanup_(bytes_done) struct bytes kernel = bytes_of(false, 50, 0, "qq", 1UL, 77UL);
	_cleanup_(bytes_done) struct bytes user = bytes_of(false, 1000000, 0, "q", 1UL);
	_cleanup_(bytes_done) struct bytes out = { 0 };
	struct record r = decoded(&kernel, false, &time);

	assert_int_equal(r.id.time, 77);
	assert_int_equal(record_encode(&r, &time, &out), -EINVAL);
	r = decoded(&user, false, &time);
	assert_int_equal(r.header.type, 1000000);
	assert_int_equal(out.n, 0);
}

static void types_have_names(void **state)
{
	(void)state;
	assert_string_equal(record_type_name(PERF_RECORD_MMAP2), "PERF_RECORD_MMAP2");
	assert_string_equal(record_type_name(PERF_RECORD_SAMPLE), "PERF_RECORD_SAMPLE");
	assert_string_equal(record_type_name(86), "PERF_RECORD_SCHEDSTAT_DOMAIN");
	assert_null(record_type_name(0));
	assert_null(record_type_name(PERF_RECORD_KERNEL_MAX));
	assert_null(record_type_name(63));
	assert_null(record_type_name(87));
	assert_null(record_type_name(UINT32_MAX));
}

static void what_does_not_fit_into_a_record_is_not_added(void **state)
{
	(void)state;
	static const uint8_t data[UINT16_MAX] = { 0 };
	struct record r = {
		.header = { .type = PERF_RECORD_COMPRESSED },
		.compressed = { .data = data, .size = UINT16_MAX - 7 },
	};
	_cleanup_(bytes_done) struct bytes out = { 0 };

	bytes_u8(&out, 1);
	assert_int_equal(record_encode(&r, NULL, &out), -EMSGSIZE);
	assert_int_equal(out.n, 1);
	r.compressed.size--;
	assert_int_equal(record_encode(&r, NULL, &out), 0);
	assert_int_equal(out.n, 1 + UINT16_MAX);
}

static void the_trailer_is_written_as_it_is_read(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_SWITCH,
							PERF_RECORD_MISC_SWITCH_OUT, "wwqqqwwq", 10,
							11, 12UL, 16UL, 14UL, 15, 0, 16UL);
	struct record r = decoded(&b, false, &trailer);

	assert_encodes_to(&r, &trailer, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_is_read_in_either_order),
		cmocka_unit_test(a_header_that_is_cut_or_too_small_is_refused),
		cmocka_unit_test(a_record_larger_than_its_bytes_is_refused),
		cmocka_unit_test(the_trailer_is_found_from_the_end),
		cmocka_unit_test(the_trailer_alone_can_be_had),
		cmocka_unit_test(without_sample_id_all_there_is_no_trailer),
		cmocka_unit_test(the_trailer_is_no_part_of_a_string),
		cmocka_unit_test(each_field_of_the_trailer_can_be_the_only_one),
		cmocka_unit_test(the_first_type_of_perfs_own_has_no_trailer),
		cmocka_unit_test(perfs_own_records_have_no_trailer),
		cmocka_unit_test(a_type_from_the_future_has_its_header_and_trailer),
		cmocka_unit_test(types_have_names),
		cmocka_unit_test(what_does_not_fit_into_a_record_is_not_added),
		cmocka_unit_test(the_trailer_is_written_as_it_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
