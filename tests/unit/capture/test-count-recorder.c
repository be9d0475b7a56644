/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "capture/count-recorder.h"
#include "capture/opened-events.h"
#include "datafile/reader.h"
#include "event/event.h"

/* An event that perf itself measures is recorded without the kernel. */
static void counts_are_read_back(void **state)
{
	(void)state;
	char path[] = "/tmp/test-count-recorder-XXXXXX";
	struct event event = { .name = "duration_time", .unit = "", .scale = 1.0 };
	struct opened_event counter = { .event = &event, .state = OPENED_TOOL };
	struct opened_events counters = { .items = &counter, .n = 1 };
	const struct count_recorder_setup setup = {
		.events = &counters,
		.tasks = &(struct task_list){ 0 },
		.cpus = &(struct cpu_list){ .items = (unsigned[]){ 0, 1 }, .n = 2 },
		.aggregation = COUNT_AGGREGATION_GLOBAL,
		.scale = true,
	};
	struct count_recorder *r = NULL;
	struct diag diag = { 0 };
	struct datafile *df = NULL;
	struct raw_record raw;
	unsigned stats = 0, rounds = 0, maps = 0;

	close(mkstemp(path));
	unlink(path);
	assert_int_equal(count_recorder_new(path, &r, &diag), 0);
	assert_int_equal(count_recorder_begin(r, &setup, &diag), 0);
	count_recorder_add_tool(r, 0, 1234);
	assert_int_equal(count_recorder_end_round(r, true, 1234, &diag), 0);
	assert_int_equal(count_recorder_finish(r, &diag), 0);
	count_recorder_free(r);

	assert_int_equal(datafile_open(path, true, &df, &diag), 0);
	assert_true(features_have(datafile_features(df), FEATURE_STAT));
	assert_int_equal(datafile_event(df, 0)->n_ids, 1);
	while (datafile_next(df, &raw, &diag) > 0) {
		struct record rec;

		assert_int_equal(record_decode(raw.bytes, raw.header.size, false, NULL, &rec), 0);
		if (raw.header.type == PERF_RECORD_STAT) {
			assert_int_equal(rec.stat.id, datafile_event(df, 0)->ids[0]);
			assert_int_equal(rec.stat.value, 1234);
			stats++;
		}
		maps += raw.header.type == PERF_RECORD_THREAD_MAP ||
			raw.header.type == PERF_RECORD_CPU_MAP;
		rounds += raw.header.type == PERF_RECORD_STAT_ROUND;
	}
	assert_int_equal(stats, 1);
	assert_int_equal(rounds, 1);
	assert_int_equal(maps, 2);
	datafile_free(df);
	free(counter.ids);
	diag_done(&diag);
	unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
