/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "datafile/reader.h"
#include "session/pieces.h"

static void add_samples(struct pieces *p, unsigned part, uint64_t offset, size_t size, size_t n)
{
	pieces_add_samples(
		p,
		&(struct sample_run){
			.part = part, .offset = offset, .position = offset, .size = size, .n = n });
}

static void add_record(struct pieces *p, uint32_t type, uint64_t offset, bool stays)
{
	pieces_add_record(p,
			  &(struct raw_record){ .header = { .type = type, .size = 64 },
						.offset = offset,
						.position = offset },
			  stays);
}

static void what_follows_goes_into_the_same_piece(void **state)
{
	_cleanup_(pieces_done) struct pieces p = { 0 };

	(void)state;
	add_samples(&p, 0, 0x100, 0x80, 2);
	add_record(&p, PERF_RECORD_COMM, 0x180, true);
	add_record(&p, PERF_RECORD_SAMPLE, 0x1c0, true);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.items[0].offset, 0x100);
	assert_int_equal(p.items[0].size, 0x100);
	assert_int_equal(p.items[0].n_samples, 3);
	assert_int_equal(p.sample_bytes, 0x80 + 64);
	assert_false(p.elsewhere);
}

static void a_gap_or_another_part_begins_a_piece(void **state)
{
	_cleanup_(pieces_done) struct pieces p = { 0 };

	(void)state;
	add_samples(&p, 0, 0x100, 0x80, 2);
	add_samples(&p, 0, 0x188, 0x80, 2);
	add_samples(&p, 1, 0x208, 0x80, 2);
	assert_int_equal(p.n, 3);
	assert_int_equal(p.items[1].offset, 0x188);
	assert_int_equal(p.items[2].part, 1);
}

static void a_piece_that_is_large_enough_ends(void **state)
{
	_cleanup_(pieces_done) struct pieces p = { 0 };

	(void)state;
	for (size_t i = 0; i < 64; i++)
		add_samples(&p, 0, i << 16, 1 << 16, 100);
	assert_true(p.n > 4);
	for (size_t i = 1; i < p.n; i++)
		assert_int_equal(p.items[i].offset, p.items[i - 1].offset + p.items[i - 1].size);
}

static void what_is_not_mapped_is_elsewhere(void **state)
{
	_cleanup_(pieces_done) struct pieces p = { 0 };

	(void)state;
	add_record(&p, PERF_RECORD_COMM, 0x100, false);
	assert_false(p.elsewhere);
	add_record(&p, PERF_RECORD_SAMPLE, 0x100, false);
	assert_true(p.elsewhere);
	assert_int_equal(p.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_goes_into_the_same_piece),
		cmocka_unit_test(a_gap_or_another_part_begins_a_piece),
		cmocka_unit_test(a_piece_that_is_large_enough_ends),
		cmocka_unit_test(what_is_not_mapped_is_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
