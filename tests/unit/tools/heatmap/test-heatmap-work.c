/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include <errno.h>
#include <string.h>

#include "base/notes.h"
#include "tools/heatmap/heatmap-work.h"
#include "scratch-folder.h"

/* Two samples of one thread, at 400 ns and 500 ns. */
#define PATH "x.data"

static const struct heatmap_request usual = {
	.path = PATH, .time_unit_ns = 1000, .value_unit_ns = 1000, .rows = 50, .columns = 100
};

static int setup(void **state)
{
	enter_scratch_folder(state);
	example_recording(PATH);
	return 0;
}

static void makes(struct heatmap_request rq, struct heatmap *h)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(heatmap_make(&rq, h, &notes, &diag), 0);
}

static void fails(struct heatmap_request rq, int error, const char *words)
{
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heatmap h = { .noun = "untouched" };

	assert_int_equal(heatmap_make(&rq, &h, &notes, &diag), error);
	assert_non_null(strstr(diag.message, words));
	assert_string_equal(h.noun, "untouched");
}

static void without_events_of_a_preset_samples_are_drawn(void **state)
{
	struct heatmap h;

	(void)state;
	makes(usual, &h);
	assert_int_equal(h.kind, HEATMAP_SAMPLES);
	assert_int_equal(h.map.total, 2);
	assert_int_equal(h.map.start_ns, 400);
	assert_int_equal(h.map.step_ns, 1000000000);
	assert_int_equal(h.map.largest, 100); /* within its second */
	assert_int_equal(h.map.rows.n, 50);
	assert_string_equal(h.noun, "samples");
	heatmap_done(&h);
}

static void a_column_of_samples_may_be_of_any_width(void **state)
{
	struct heatmap_request rq = usual;
	struct heatmap h;

	(void)state;
	rq.step_ns = 100;
	makes(rq, &h);
	assert_int_equal(h.map.n_columns, 2);
	assert_int_equal(h.map.largest, 0);
	assert_string_equal(h.value_name, "time within the column");
	heatmap_done(&h);
}

static void an_event_is_paired_with_itself(void **state)
{
	struct heatmap_request rq = usual;
	struct heatmap h;

	(void)state;
	rq.kind = HEATMAP_PAIRS;
	rq.pair = "cpu-clock*,cpu-clock*";
	makes(rq, &h);
	assert_int_equal(h.map.total, 1);
	assert_int_equal(h.map.largest, 100);
	assert_int_equal(h.pairs.pairs, 1);
	assert_int_equal(h.pairs.open, 1);
	assert_true(h.values_are_times);
	assert_string_equal(h.title, "Time from cpu-clock* to cpu-clock*");
	heatmap_done(&h);
}

static void filters_choose_threads(void **state)
{
	struct heatmap_request rq = usual;
	int seven = 7, eight = 8;
	struct heatmap h;

	(void)state;
	rq.filter.tids = (struct id_list){ .items = &seven, .n = 1 };
	makes(rq, &h);
	assert_int_equal(h.map.total, 2);
	heatmap_done(&h);
	rq.filter.tids.items = &eight;
	fails(rq, -ENODATA, "passes the filters");
}

static void the_period_is_a_field(void **state)
{
	struct heatmap_request rq = usual;
	struct heatmap h;

	(void)state;
	rq.kind = HEATMAP_FIELD;
	rq.field = "period";
	makes(rq, &h);
	assert_int_equal(h.map.total, 2);
	assert_false(h.values_are_times);
	heatmap_done(&h);
}

static void what_the_recording_lacks_is_told(void **state)
{
	struct heatmap_request rq = usual;

	(void)state;
	rq.kind = HEATMAP_PAIRS;
	rq.preset = "block";
	fails(rq, -ENOENT, "has no event block:block_rq_issue, only cpu-clock");
	rq.preset = NULL;
	rq.pair = "cpu-clock*,cpu-clock*";
	rq.key = "nothing";
	fails(rq, -EINVAL, "has no field 'nothing'");
	rq = usual;
	rq.kind = HEATMAP_FIELD;
	rq.field = "weight";
	fails(rq, -EINVAL, "has a number called 'weight'");
	rq = usual;
	rq.kind = HEATMAP_SAMPLES;
	rq.event = "cycles";
	fails(rq, -ENOENT, "has no event cycles");
}

static void axes_must_make_sense(void **state)
{
	struct heatmap_request rq = usual;

	(void)state;
	rq.max = (struct heatmap_bound){ 1, true };
	fails(rq, -EINVAL, "samples have none");
	rq.kind = HEATMAP_PAIRS;
	rq.pair = "cpu-clock*,cpu-clock*";
	rq.min = (struct heatmap_bound){ 1, true };
	fails(rq, -EINVAL, "--max must be greater than --min");
	rq.min.number = 0;
	rq.max = (struct heatmap_bound){ 0 };
	rq.step_ns = 1;
	rq.pair = "cpu-clock*,cpu-clock*";
	rq.path = "nowhere.data";
	fails(rq, -ENOENT, "nowhere.data");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(without_events_of_a_preset_samples_are_drawn),
		T(a_column_of_samples_may_be_of_any_width),
		T(an_event_is_paired_with_itself),
		T(filters_choose_threads),
		T(the_period_is_a_field),
		T(what_the_recording_lacks_is_told),
		T(axes_must_make_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
