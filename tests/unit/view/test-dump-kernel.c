/* SPDX-License-Identifier: MIT */
#include "dumped.h"

static void lost_records_are_those_of_an_event(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);

	add(&rec, (struct record){ .header.type = PERF_RECORD_LOST, .lost = { 100, 77 } }, 0);
	assert_dumped(&rec, "0x198 [0x20]: PERF_RECORD_LOST: id:100: lost:77\n");
}

static void lost_samples_have_the_id_of_the_trailer(void **state)
{
	(void)state;
	struct record r = { .header.type = PERF_RECORD_LOST_SAMPLES, .lost.lost = 9, .id.id = 2 };
	_cleanup_(recording_done) struct recording with = recording_of(PERF_SAMPLE_IDENTIFIER);
	_cleanup_(recording_done) struct recording without = recording_of(PERF_SAMPLE_TID);

	add(&with, r, 0);
	assert_dumped(&with, "0x198 [0x18]: PERF_RECORD_LOST_SAMPLES: id:2: lost samples :9\n");
	add(&without, r, 0);
	assert_dumped(&without, "0x198 [0x18]: PERF_RECORD_LOST_SAMPLES: "
				"id:18446744073709551615: lost samples :9\n");
}

static void a_count_names_its_event(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER);
	static const uint64_t words[] = { 5, 6, 7, 8, 9 };

	rec.attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_LOST;
	add(&rec,
	    (struct record){ .header.type = PERF_RECORD_READ,
			     .id.id = 1,
			     .read = { .pid = 3,
				       .tid = 4,
				       .n = 1,
				       .values = { (const uint8_t *)words, 5, false },
				       .read_format = rec.attr.read_format } },
	    0);
	assert_dumped(&rec, "0x198 [0x40]: PERF_RECORD_READ: 3 4 cpu-clock 5\n"
			    "... time enabled : 6\n"
			    "... time running : 7\n"
			    "... id           : 8\n"
			    "... lost         : 9\n"
			    ": unhandled!\n");
}

static void changed_code_is_shown_before_and_after(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);
	static const uint8_t code[20] = { 1, 2, 3 };

	add(&rec,
	    (struct record){ .header.type = PERF_RECORD_TEXT_POKE,
			     .text_poke = { .addr = 0xffff800080001000,
					    .old_len = 3,
					    .new_len = 20,
					    .old_bytes = code,
					    .new_bytes = code } },
	    0);
	assert_dumped(&rec,
		      "0x198 [0x38]: PERF_RECORD_TEXT_POKE ffff800080001000  old len 3 new "
		      "len 20\n"
		      "            Old bytes: 01 02 03\n"
		      "            New bytes: 01 02 03 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
		      "            New bytes: 00 00 00 00\n");
}

static void some_have_nothing_but_a_name(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);

	add(&rec, (struct record){ .header.type = PERF_RECORD_THROTTLE }, 0);
	add(&rec, (struct record){ .header.type = PERF_RECORD_AUX_OUTPUT_HW_ID, .hw_id = 0x55 }, 0);
	assert_dumped(&rec, "0x198 [0x28]: PERF_RECORD_THROTTLE\n"
			    "0x1c0 [0x18]: PERF_RECORD_AUX_OUTPUT_HW_ID hw_id: 0x55\n");
}

static void a_late_call_chain_looks_like_any_other(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);
	static const uint64_t ips[] = { 0x10, 0x20 };

	add(&rec,
	    (struct record){ .header.type = PERF_RECORD_CALLCHAIN_DEFERRED,
			     .callchain_deferred = { 7, { (const uint8_t *)ips, 2, false } } },
	    0);
	assert_dumped(&rec, "0x198 [0x30]: PERF_RECORD_CALLCHAIN_DEFERRED(IP, 0x0): 0/0: 0x7\n"
			    "... FP chain: nr:2\n"
			    ".....  0: 0000000000000010\n"
			    ".....  1: 0000000000000020\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_records_are_those_of_an_event),
		cmocka_unit_test(lost_samples_have_the_id_of_the_trailer),
		cmocka_unit_test(a_count_names_its_event),
		cmocka_unit_test(changed_code_is_shown_before_and_after),
		cmocka_unit_test(some_have_nothing_but_a_name),
		cmocka_unit_test(a_late_call_chain_looks_like_any_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
