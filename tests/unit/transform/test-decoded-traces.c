/* SPDX-License-Identifier: MIT */
#include "session/traced.h"

#include <errno.h>

#include "collected.h"
#include "transform/decoded-traces.h"
#include "transform/rewrite.h"

/* Returns a recording with a trace of one load, and the records beside it. */
static struct recording traced(void)
{
	struct recording rec = recording_new();

	trace_info(&rec);
	comm(&rec, 7, 7, "a", 10);
	add(&rec, (struct record){ .header.type = PERF_RECORD_AUX }, 11);
	add(&rec, (struct record){ .header.type = PERF_RECORD_ITRACE_START }, 12);
	sampled(&rec, 1, 7, 13);
	add(&rec, (struct record){ .header.type = PERF_RECORD_SWITCH }, 14);
	trace_loads(&rec, 0, (const uint8_t[]){ 20, 0 });
	return rec;
}

static void through(struct recording *rec, bool strip, struct collected *c)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(decoded_traces_freep) struct decoded_traces *t = decoded_traces_new(
		&(struct decoded_traces_options){ .session = s, .strip = strip, .diag = &d });
	struct transform *first = decoded_traces_transform(t);
	uint64_t left_out;

	first->next = &c->transform;
	assert_int_equal(rewrite(s, first, &left_out, &d), 0);
	assert_true(c->ended);
}

static void assert_types(const struct collected *c, const uint32_t *types, size_t n)
{
	assert_int_equal(c->n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(collected_header(c, i).type, types[i]);
}

static void samples_take_the_place_of_traces(void **state)
{
	(void)state;
	static const uint32_t types[] = { PERF_RECORD_TIME_CONV, PERF_RECORD_COMM,
					  PERF_RECORD_SAMPLE, PERF_RECORD_SWITCH,
					  PERF_RECORD_SAMPLE };
	_cleanup_(recording_done) struct recording rec = traced();
	_cleanup_(collected_done) struct collected c = collected_new();

	through(&rec, false, &c);
	assert_types(&c, types, ARRAY_SIZE(types));
}

static void stripped_only_their_samples_are_left(void **state)
{
	(void)state;
	static const uint32_t types[] = { PERF_RECORD_TIME_CONV, PERF_RECORD_COMM,
					  PERF_RECORD_SAMPLE };
	_cleanup_(recording_done) struct recording rec = traced();
	_cleanup_(collected_done) struct collected c = collected_new();

	through(&rec, true, &c);
	assert_types(&c, types, ARRAY_SIZE(types));
}

static void traces_that_cannot_be_decoded_are_an_error(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(decoded_traces_freep) struct decoded_traces *t = NULL;
	uint64_t left_out;

	rec.traces = &all_accesses;
	trace_info_of(&rec, 99, 2);
	s = opened(&rec, false);
	t = decoded_traces_new(&(struct decoded_traces_options){ .session = s, .diag = &d });
	decoded_traces_transform(t)->next = &c.transform;
	assert_int_equal(rewrite(s, decoded_traces_transform(t), &left_out, &d), -EOPNOTSUPP);
	assert_string_equal(d.message, "hardware traces of the unknown type 99");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_take_the_place_of_traces),
		cmocka_unit_test(stripped_only_their_samples_are_left),
		cmocka_unit_test(traces_that_cannot_be_decoded_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
