/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include <errno.h>

#include "base/memory.h"
#include "base/notes.h"
#include "profile/recorded.h"
#include "scratch-folder.h"
#include "session/consumer.h"

struct taken {
	uint64_t times[4];
	size_t n;
};

static int take(void *arg, const struct sample_batch *b)
{
	struct taken *t = arg;

	for (size_t i = 0; i < b->n; i++)
		t->times[t->n++] = b->items[i].time;
	return 0;
}

static struct taken read_all(const struct recorded_request *rq)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(recorded_done) struct recorded r = { 0 };
	struct notes notes = { 0 };
	struct taken t = { 0 };
	const struct consumer c = { .order = CONSUMER_IN_ORDER, .samples = take, .arg = &t };

	assert_int_equal(recorded_open(rq, &r, &d), 0);
	assert_int_equal(recorded_feed(&r, &c, &notes, &d), 0);
	notes_done(&notes);
	return t;
}

static void samples_come_in_order_of_time(void **state)
{
	struct taken t;

	(void)state;
	example_recording("perf.data");
	t = read_all(&(struct recorded_request){ .path = "perf.data" });
	assert_int_equal(t.n, 2);
	assert_int_equal(t.times[0], 400);
	assert_int_equal(t.times[1], 500);
}

static void only_wanted_times_are_handed_over(void **state)
{
	struct recorded_request rq = { .path = "perf.data" };
	struct taken t;
	size_t offset;

	(void)state;
	example_recording("perf.data");
	assert_int_equal(time_window_parse("0.00000045,", &rq.filter.time, &offset), 0);
	t = read_all(&rq);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.times[0], 500);
	recorded_request_done(&rq);
}

static void a_file_that_is_not_there_is_told(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(recorded_done) struct recorded r = { 0 };

	(void)state;
	assert_int_equal(recorded_open(&(struct recorded_request){ .path = "none" }, &r, &d),
			 -ENOENT);
	assert_non_null(d.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(samples_come_in_order_of_time, enter_scratch_folder,
						leave_scratch_folder),
		cmocka_unit_test_setup_teardown(only_wanted_times_are_handed_over,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test_setup_teardown(a_file_that_is_not_there_is_told,
						enter_scratch_folder, leave_scratch_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
