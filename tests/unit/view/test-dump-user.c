/* SPDX-License-Identifier: MIT */
#include "dumped.h"

/* Checks the lines of the record alone, in a file whose events have no times. */
static void assert_line(struct record r, const char *wanted)
{
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);

	add(&rec, r, 0);
	assert_dumped(&rec, wanted);
}

#define WORDS(w)                                                                                   \
	{                                                                                          \
		(const uint8_t *)(w), sizeof(w) / 8, false                                         \
	}

static void the_index_of_ids_is_a_table(void **state)
{
	(void)state;
	static const uint64_t entries[] = { 1, 0, UINT64_MAX, 9 }, machines[] = { 6, 7 };
	struct record r = { .header.type = PERF_RECORD_ID_INDEX,
			    .id_index = { .entries = WORDS(entries) } };

	assert_line(r, "0x198 [0x30]: PERF_RECORD_ID_INDEX nr: 1\n"
		       " ... id: 1  idx: 0  cpu: -1  tid: 9\n");
	r.id_index.machines = (struct words)WORDS(machines);
	assert_line(r, "0x198 [0x40]: PERF_RECORD_ID_INDEX nr: 1\n"
		       " ... id: 1  idx: 0  cpu: -1  tid: 9  machine_pid: 6  vcpu: 7\n");
}

static void threads_are_listed(void **state)
{
	(void)state;
	static const uint64_t entries[] = { 7, 0, 0, UINT64_MAX, 0, 0 };
	struct record r = { .header.type = PERF_RECORD_THREAD_MAP,
			    .thread_map = { (const uint8_t *)entries, 2, false } };

	assert_line(r, "0x198 [0x40]: PERF_RECORD_THREAD_MAP nr: 2 threads: 7, -1\n");
	r.thread_map.n = 1;
	assert_line(r, "0x198 [0x28]: PERF_RECORD_THREAD_MAP nr: 1 thread: 7\n");
}

static void cpus_are_listed_as_ranges(void **state)
{
	(void)state;
	static const uint16_t list[] = { 1, 2, 5 }, any[] = { 0xffff };

	assert_line((struct record){ .header.type = PERF_RECORD_CPU_MAP,
				     .cpu_map = { .n = 3, .items = (const uint8_t *)list } },
		    "0x198 [0x18]: PERF_RECORD_CPU_MAP: 1-2,5\n");
	assert_line((struct record){ .header.type = PERF_RECORD_CPU_MAP,
				     .cpu_map = { .n = 1, .items = (const uint8_t *)any } },
		    "0x198 [0x10]: PERF_RECORD_CPU_MAP: -1\n");
	assert_line((struct record){ .header.type = PERF_RECORD_CPU_MAP,
				     .cpu_map = { .kind = 2, .last = 3 } },
		    "0x198 [0x10]: PERF_RECORD_CPU_MAP: 0-3\n");
}

static void afterthoughts_about_events_are_shown(void **state)
{
	(void)state;
	struct record r = { .header.type = PERF_RECORD_EVENT_UPDATE,
			    .event_update = {
				    .kind = EVENT_UPDATE_UNIT, .id = 1, .text = "msec" } };

	assert_line(r, "0x198 [0x20]: PERF_RECORD_EVENT_UPDATE\n... id:    1\n... unit:  msec\n");
	r.event_update.kind = EVENT_UPDATE_NAME;
	assert_line(r, "0x198 [0x20]: PERF_RECORD_EVENT_UPDATE\n... id:    1\n... name:  msec\n");
	r.event_update.kind = EVENT_UPDATE_SCALE;
	r.event_update.scale = 0.25;
	assert_line(r,
		    "0x198 [0x20]: PERF_RECORD_EVENT_UPDATE\n... id:    1\n... scale: 0.250000\n");
	r.event_update.kind = EVENT_UPDATE_CPUS;
	r.event_update.cpus = (struct record_cpu_map){ .kind = 2, .last = 1 };
	assert_line(r, "0x198 [0x20]: PERF_RECORD_EVENT_UPDATE\n... id:    1\n... 0-1\n");
	r.event_update.kind = 99;
	assert_line(r, "0x198 [0x18]: PERF_RECORD_EVENT_UPDATE\n... id:    1\n... unknown type\n");
}

static void the_clock_is_shown_as_far_as_it_is_told(void **state)
{
	(void)state;
	struct record r = { .header.type = PERF_RECORD_TIME_CONV,
			    .time_conv = { .time_shift = 22, .time_mult = 3, .time_zero = 4 } };

	assert_line(r, "0x198 [0x20]: PERF_RECORD_TIME_CONV\n"
		       "... Time Shift      22\n"
		       "... Time Muliplier  3\n"
		       "... Time Zero       4\n"
		       ": unhandled!\n");
	r.time_conv.is_long = true;
	r.time_conv.time_mask = 0xff;
	assert_line(r, "0x198 [0x38]: PERF_RECORD_TIME_CONV\n"
		       "... Time Shift      22\n"
		       "... Time Muliplier  3\n"
		       "... Time Zero       4\n"
		       "... Time Cycles     0\n"
		       "... Time Mask       0xff\n"
		       "... Cap Time Zero   0\n"
		       "... Cap Time Short  0\n"
		       ": unhandled!\n");
}

static void traces_are_told_about(void **state)
{
	(void)state;
	struct record error = { .header.type = PERF_RECORD_AUXTRACE_ERROR,
				.auxtrace_error = { .type = 1,
						    .code = 2,
						    .cpu = 3,
						    .pid = 4,
						    .tid = 5,
						    .fmt = 1,
						    .ip = 0x1234,
						    .time = 99,
						    .msg = "oops" } };

	assert_line((struct record){ .header.type = PERF_RECORD_AUXTRACE_INFO,
				     .auxtrace_info.type = 4 },
		    "0x198 [0x10]: PERF_RECORD_AUXTRACE_INFO type: 4\n");
	assert_line((struct record){ .header.type = PERF_RECORD_AUXTRACE,
				     .auxtrace = { .offset = 2, .idx = 4, .tid = 5, .cpu = 6 } },
		    "0x198 [0x30]: PERF_RECORD_AUXTRACE size: 0  offset: 0x2  ref: 0  idx: 4  "
		    "tid: 5  cpu: 6\n");
	assert_line(error, "0x198 [0x70]: PERF_RECORD_AUXTRACE_ERROR instruction trace error type "
			   "1 time 0.000000099 cpu 3 pid 4 tid 5 ip 0x1234 code 2: oops\n");
	error.auxtrace_error.fmt = 0;
	assert_line(error, "0x198 [0x68]: PERF_RECORD_AUXTRACE_ERROR instruction trace error type "
			   "1 time 0 cpu 3 pid 4 tid 5 ip 0x1234 code 2: oops\n");
}

static void what_a_command_goes_on_to_print_has_no_newline(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_TID);
	_cleanup_(freep) char *text = NULL;
	static const char end[] = "PERF_RECORD_STAT_ROUND";

	add(&rec, (struct record){ .header.type = PERF_RECORD_STAT_ROUND }, 0);
	text = dumped(&rec);
	assert_string_equal(text + strlen(text) - strlen(end), end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_of_ids_is_a_table),
		cmocka_unit_test(threads_are_listed),
		cmocka_unit_test(cpus_are_listed_as_ranges),
		cmocka_unit_test(afterthoughts_about_events_are_shown),
		cmocka_unit_test(the_clock_is_shown_as_far_as_it_is_told),
		cmocka_unit_test(traces_are_told_about),
		cmocka_unit_test(what_a_command_goes_on_to_print_has_no_newline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
