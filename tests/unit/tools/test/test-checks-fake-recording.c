/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "datafile/reader.h"
#include "scratch-folder.h"
#include "tools/test/checks/fake-recording.h"
#include "wire/sample.h"

static const struct fake_samples some[] = {
	{ 100, 100, FAKE_PROGRAM + 0x10, { FAKE_PROGRAM + 0x20, 0, 0 }, 2, 7 },
	{ 200, 201, FAKE_LIBC + 0x30, { 0, 0, 0 }, 1, 9 },
};

static void what_is_written_is_read(void **state)
{
	struct fake_recording f = { .samples = some, .n = ARRAY_SIZE(some) };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	struct raw_record rec;
	size_t samples = 0, maps = 0;
	uint64_t periods = 0;

	(void)state;
	assert_int_equal(fake_recording_write("x.data", &f, &d), 0);
	assert_int_equal(datafile_open("x.data", false, &df, &d), 0);
	assert_int_equal(datafile_event_count(df), 1);
	while (datafile_next(df, &rec, &d) > 0) {
		struct sample s;

		maps += rec.header.type == PERF_RECORD_MMAP2;
		if (rec.header.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(sample_decode(rec.bytes, rec.header.size, false,
					       &datafile_event(df, 0)->attr, &s),
				 0);
		assert_int_equal(s.chain.n, samples < 2 ? 3 : 2);
		periods += s.period;
		samples++;
	}
	assert_int_equal(samples, 3);
	assert_int_equal(maps, 4);
	assert_int_equal(periods, 23);
}

static void a_place_that_cannot_be_written_is_an_error(void **state)
{
	struct fake_recording f = { .samples = some, .n = ARRAY_SIZE(some) };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_true(fake_recording_write("/nonexistent/x.data", &f, &d) < 0);
	assert_non_null(d.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_written_is_read, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test(a_place_that_cannot_be_written_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
