/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "datafile/reader.h"
#include "session/horizon.h"
#include "session/internal.h"

#define SAMPLES 100000

/* Writes samples of which each second one is @late behind. */
static void add_samples(struct recording *rec, uint64_t late)
{
	for (uint64_t i = 0; i < SAMPLES; i++)
		sampled(rec, 1, 7, 1000000 + i - i % 2 * late);
}

static void the_rest_of_the_file_is_known(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(horizon_done) struct horizon h = { 0 };
	struct raw_record raw;
	struct diag diag = { 0 };
	uint64_t before = 0, size;

	(void)state;
	add_samples(&rec, 500);
	size = rec.records.n / SAMPLES;
	s = opened(&rec, false);
	assert_int_equal(datafile_next(s->file, &raw, &diag), 1);
	horizon_find(&h, s);
	assert_true(h.is_known);
	assert_int_equal(horizon_at(&h, raw.position), 0);
	for (uint64_t i = 1; i < SAMPLES; i++) {
		uint64_t found = horizon_at(&h, raw.position + i * size);
		/* The earliest one is the next that is late, and a block has many before it. */
		uint64_t earliest = 1000000 + (i | 1) - 500;

		assert_true(found >= before && found <= earliest);
		assert_true(found + (2 << 20) / size > earliest);
		before = found;
	}
	assert_int_equal(horizon_at(&h, raw.position + (UINT64_C(1) << 40)), 0);
}

static void what_is_no_record_hides_the_rest(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(horizon_done) struct horizon h = { 0 };

	(void)state;
	add_samples(&rec, 0);
	bytes_u64(&rec.records, 0);
	s = opened(&rec, false);
	horizon_find(&h, s);
	assert_true(h.is_known);
	assert_int_equal(horizon_at(&h, 2 << 20), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rest_of_the_file_is_known),
		cmocka_unit_test(what_is_no_record_hides_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
