/* SPDX-License-Identifier: MIT */
#include "session/recording.h"
#include "tools/evlist/evlist-view.h"
#include "view/printed.h"

static void assert_evlist(const struct session *s, struct evlist_options o, const char *wanted)
{
	struct printed p;

	printed_open(&p);
	evlist_print(s, &o, p.out);
	assert_printed(&p, wanted);
}

static void events_are_listed_in_the_order_of_the_file(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	assert_evlist(s, (struct evlist_options){ 0 }, "cpu-clock\ntask-clock\n");
	assert_evlist(s, (struct evlist_options){ .groups = true }, "cpu-clock\ntask-clock\n");
}

static void frequencies_and_periods_are_told_apart(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording freq = recording_of(PERF_SAMPLE_IDENTIFIER);
	_cleanup_(recording_done) struct recording period = recording_of(PERF_SAMPLE_IDENTIFIER);
	_cleanup_(session_freep) struct session *a = NULL, *b = NULL;

	freq.attr.sample_period = 4000;
	freq.attr.freq = 1;
	a = opened(&freq, false);
	assert_evlist(a, (struct evlist_options){ .frequency = true },
		      "cpu-clock: sample_freq=4000\ntask-clock: sample_freq=4000\n");
	b = opened(&period, false);
	assert_evlist(b, (struct evlist_options){ .frequency = true },
		      "cpu-clock: sample_period=0\ntask-clock: sample_period=0\n");
}

static void details_go_before_the_frequency(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	assert_evlist(s, (struct evlist_options){ .details = true, .frequency = true },
		      "cpu-clock: type: 1, size: 128, sample_type: IDENTIFIER, sample_id_all: 1, "
		      "exclude_guest: 1\n"
		      "task-clock: type: 1, size: 128, config: 0x1, sample_type: IDENTIFIER, "
		      "sample_id_all: 1, exclude_guest: 1\n");
}

static void only_tracepoints_have_fields(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	assert_evlist(s, (struct evlist_options){ .trace_fields = true },
		      "cpu-clock: (not a tracepoint)\ntask-clock: (not a tracepoint)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_listed_in_the_order_of_the_file),
		cmocka_unit_test(frequencies_and_periods_are_told_apart),
		cmocka_unit_test(details_go_before_the_frequency),
		cmocka_unit_test(only_tracepoints_have_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
