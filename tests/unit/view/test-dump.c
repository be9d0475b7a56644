/* SPDX-License-Identifier: MIT */
#include "dumped.h"

static void a_record_is_shown_as_bytes_and_as_text(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TIME);
	_cleanup_(freep) char *wanted = NULL, *text = NULL;

	comm(&rec, 5, 6, "sh", 7);
	text = dumped(&rec);
	assert_true(asprintf(&wanted,
			     "\n0x198@/proc/self/fd/%d [0x20]: event: 3\n"
			     ".\n"
			     ". ... raw event: size 32 bytes\n"
			     ".  0000:  03 00 00 00 00 00 20 00 05 00 00 00 06 00 00 00  "
			     "...... .........\n"
			     ".  0010:  73 68 00 00 00 00 00 00 07 00 00 00 00 00 00 00  "
			     "sh..............\n"
			     "\n7 0x198 [0x20]: PERF_RECORD_COMM: sh:5/6\n",
			     rec.fd) > 0);
	assert_string_equal(text, wanted);
}

static void the_last_row_of_bytes_is_filled_up(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TIME);
	_cleanup_(freep) char *text = NULL;

	round_ends(&rec);
	text = dumped(&rec);
	assert_non_null(strstr(text, ".  0000:  44 00 00 00 00 00 08 00                          "
				     "D.......        \n"));
}

static void what_no_record_tells_is_not_in_front(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording neither = recording_of(PERF_SAMPLE_TID);
	_cleanup_(recording_done) struct recording both = recording_of(PERF_SAMPLE_CPU |
								       PERF_SAMPLE_TIME);

	comm(&neither, 5, 6, "sh", 7);
	assert_dumped(&neither, "0x198 [0x20]: PERF_RECORD_COMM: sh:5/6\n");
	comm(&both, 5, 6, "sh", 7);
	round_ends(&both);
	assert_dumped(&both, "0 0 0x1c0 [0x8]: PERF_RECORD_FINISHED_ROUND\n"
			     "0 7 0x198 [0x28]: PERF_RECORD_COMM: sh:5/6\n");
}

static void records_without_trailers_are_warned_about(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TIME);

	rec.attr.sample_id_all = 0;
	comm(&rec, 5, 6, "sh", 0);
	assert_dumped(&rec,
		      "WARNING: No sample_id_all support, falling back to unordered processing\n"
		      "-1 -1 0x198 [0x18]: PERF_RECORD_COMM: sh:5/6\n");
}

static void types_from_the_future_are_unknown(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TIME);

	bytes_u32(&rec.records, 63);
	bytes_u32(&rec.records, 16 << 16);
	bytes_u64(&rec.records, 9);
	assert_dumped(&rec, "9 0x198 [0x10]: PERF_RECORD_UNKNOWN\n");
}

static void a_record_that_does_not_decode_is_shown_all_the_same(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);

	bytes_u32(&rec.records, PERF_RECORD_THREAD_MAP);
	bytes_u32(&rec.records, 16 << 16);
	bytes_u64(&rec.records, UINT64_MAX);
	assert_dumped(&rec, "0x198 [0x10]: PERF_RECORD_THREAD_MAP: malformed\n");
}

static void names_cannot_act_on_the_terminal(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);

	comm(&rec, 5, 6, "\x1b[2J", 0);
	assert_dumped(&rec, "0x198 [0x20]: PERF_RECORD_COMM: \\x1b[2J:5/6\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_shown_as_bytes_and_as_text),
		cmocka_unit_test(the_last_row_of_bytes_is_filled_up),
		cmocka_unit_test(what_no_record_tells_is_not_in_front),
		cmocka_unit_test(records_without_trailers_are_warned_about),
		cmocka_unit_test(types_from_the_future_are_unknown),
		cmocka_unit_test(a_record_that_does_not_decode_is_shown_all_the_same),
		cmocka_unit_test(names_cannot_act_on_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
