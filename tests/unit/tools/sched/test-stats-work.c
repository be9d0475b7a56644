/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "tools/sched/stats-model.h"
#include "base/notes.h"
#include "datafile/features.h"
#include "tools/sched/stats-work.h"
#include "tools/sched/schedstat-model.h"

struct example {
	struct recording recording;
	struct sched_stats stats;
	struct features facts;
	struct notes notes;
	char path[32];
};

static void add_line(struct example *e, uint64_t time, uint16_t version, uint64_t value)
{
	const struct schedstat_line l = { .time = time, .version = version, .values = { value } };

	schedstat_encode(&l, &e->recording.records);
}

static int read_back(struct example *e, struct diag *diag)
{
	stored(&e->recording, e->path);
	return sched_stats_read(e->path, true, &e->stats, &e->facts, &e->notes, diag);
}

static void end(struct example *e)
{
	sched_stats_done(&e->stats);
	features_done(&e->facts);
	notes_done(&e->notes);
	recording_done(&e->recording);
}

static void counters_are_read_from_a_file(void **state)
{
	_cleanup_(end) struct example e = { .recording = recording_new() };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	add_line(&e, 10, 15, 3);
	add_line(&e, 30, 15, 7);
	assert_int_equal(read_back(&e, &diag), 0);
	assert_int_equal(e.stats.end - e.stats.begin, 20);
	assert_int_equal(e.stats.cpus.items[0].values[0], 4);
}

static void records_that_make_no_sense_are_left_out_and_said(void **state)
{
	_cleanup_(end) struct example e = { .recording = recording_new() };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	add_line(&e, 10, 15, 3);
	add_line(&e, 30, 15, 7);
	add_line(&e, 40, 15, 9);
	add_line(&e, 40, 99, 9);
	assert_int_equal(read_back(&e, &diag), 0);
	assert_int_equal(e.stats.cpus.items[0].values[0], 4);
	/* Another note says that the file was never finished. */
	assert_non_null(
		strstr(e.notes.items[e.notes.n - 1].what.message, "2 records are left out"));
}

static void a_file_without_counters_is_refused(void **state)
{
	_cleanup_(end) struct example e = { .recording = recording_new() };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	sampled(&e.recording, 1, 10, 100);
	assert_int_equal(read_back(&e, &diag), -ENODATA);
	assert_non_null(strstr(diag.hint, "perf sched stats record"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_read_from_a_file),
		cmocka_unit_test(records_that_make_no_sense_are_left_out_and_said),
		cmocka_unit_test(a_file_without_counters_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
