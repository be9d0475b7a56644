/* SPDX-License-Identifier: MIT */
#include "traced.h"

#include "session/internal.h"
#include "session/traces.h"

static struct session *scanned(struct recording *rec)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = opened(rec, false);

	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

static void the_events_of_a_file_are_known_before_it_is_read(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	trace_info(&rec);
	s = opened(&rec, false);
	assert_null(session_undecoded(s));
	assert_int_equal(session_event_count(s), RECORDING_EVENTS + 2);
	assert_string_equal(session_event(s, RECORDING_EVENTS)->name, "l1d-miss");
	assert_true(session_event(s, RECORDING_EVENTS)->decoded);
	assert_false(session_event(s, 0)->decoded);
	assert_int_equal(session_event(s, RECORDING_EVENTS + 1)->ids[0], 1000000002);
}

static void traces_that_nobody_wants_are_not_looked_at(void **state)
{
	(void)state;
	static const struct itrace off = { .off = true };
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	trace_info(&rec);
	rec.traces = &off;
	s = opened(&rec, false);
	assert_int_equal(session_event_count(s), RECORDING_EVENTS);
	assert_null(session_undecoded(s));
}

static void a_trace_of_an_unknown_kind_is_told(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	rec.traces = &all_accesses;
	trace_info_of(&rec, 99, 2);
	s = opened(&rec, false);
	assert_string_equal(session_undecoded(s), "hardware traces of the unknown type 99");
	assert_string_equal(session_damage(s, session_damage_count(s) - 1), session_undecoded(s));
	assert_int_equal(session_event_count(s), RECORDING_EVENTS);
}

static void an_info_without_words_is_told(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	rec.traces = &all_accesses;
	trace_info_of(&rec, AUXTRACE_ARM_SPE, 0);
	s = opened(&rec, false);
	assert_non_null(strstr(session_undecoded(s), "too short"));
}

static void of_two_infos_the_first_counts(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	trace_info(&rec);
	trace_info_of(&rec, 99, 2);
	s = scanned(&rec);
	assert_null(session_undecoded(s));
	assert_int_equal(session_event_count(s), RECORDING_EVENTS + 2);
}

static void pieces_are_queued_by_index(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	trace_info(&rec);
	trace_loads(&rec, 3, (const uint8_t[]){ 10, 0 });
	trace_loads(&rec, 1, (const uint8_t[]){ 11, 12, 0 });
	trace_loads(&rec, 3, (const uint8_t[]){ 13, 0 });
	s = scanned(&rec);
	assert_int_equal(s->traces->queues.n, 2);
	assert_int_equal(s->traces->queues.items[0]->index, 3);
	assert_int_equal(s->traces->queues.items[0]->n, 2);
	assert_int_equal(s->traces->queues.items[0]->cpu, 3);
	assert_int_equal(s->traces->queues.items[1]->items[0].size, 2 * LOAD_SIZE);
}

static void a_piece_without_bytes_is_none(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	trace_info(&rec);
	trace_data(&rec, 0, NULL, 0);
	s = scanned(&rec);
	assert_int_equal(s->traces->queues.n, 0);
}

static void switches_matter_and_samples_do_not(void **state)
{
	(void)state;
	assert_true(traces_matter(PERF_RECORD_SWITCH));
	assert_true(traces_matter(PERF_RECORD_SWITCH_CPU_WIDE));
	assert_false(traces_matter(PERF_RECORD_SAMPLE));
	assert_false(traces_are_there(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_events_of_a_file_are_known_before_it_is_read),
		cmocka_unit_test(traces_that_nobody_wants_are_not_looked_at),
		cmocka_unit_test(a_trace_of_an_unknown_kind_is_told),
		cmocka_unit_test(an_info_without_words_is_told),
		cmocka_unit_test(of_two_infos_the_first_counts),
		cmocka_unit_test(pieces_are_queued_by_index),
		cmocka_unit_test(a_piece_without_bytes_is_none),
		cmocka_unit_test(switches_matter_and_samples_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
