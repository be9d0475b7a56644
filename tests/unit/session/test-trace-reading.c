/* SPDX-License-Identifier: MIT */
#include "traced.h"

#include "base/memory.h"
#include "session/internal.h"
#include "session/trace-reading.h"
#include "session/traces.h"

static struct session *scanned(struct recording *rec)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = opened(rec, false);

	assert_int_equal(session_scan(s, &diag), 0);
	return s;
}

/*
 * Returns a recording with two queues, whose loads interleave. A tick is a nanosecond, and loads
 * come after events of the same time.
 */
static struct recording two_queues(void)
{
	struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU);

	trace_info(&rec);
	comm(&rec, 7, 7, "a", 1);
	trace_loads(&rec, 0, (const uint8_t[]){ 10, 30, 0 });
	trace_loads(&rec, 1, (const uint8_t[]){ 20, 30, 40, 0 });
	return rec;
}

static uint64_t next_time(struct trace_reading *r, uint64_t until, uint32_t *ret_cpu)
{
	struct delivered d;
	struct sample s;

	if (!trace_reading_next(r, until, &d))
		return 0;
	assert_int_equal(d.raw.header.type, PERF_RECORD_SAMPLE);
	assert_string_equal(d.event->name, "l1d-access");
	assert_non_null(session_trace_facts(&d));
	assert_int_equal(session_decode_sample(r->traces->session, &d, &s), 0);
	assert_int_equal(s.tid, 7);
	*ret_cpu = s.cpu;
	return s.time;
}

static void queues_are_read_in_order_of_time(void **state)
{
	(void)state;
	static const struct {
		uint64_t time;
		uint32_t cpu;
	} expected[] = { { 10, 0 }, { 20, 1 }, { 30, 0 }, { 30, 1 }, { 40, 1 } };
	_cleanup_(recording_done) struct recording rec = two_queues();
	_cleanup_(session_freep) struct session *s = scanned(&rec);
	struct trace_reading r;
	uint32_t cpu;

	trace_reading_init(&r, s->traces);
	trace_reading_refill(&r);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(next_time(&r, UINT64_MAX, &cpu), expected[i].time);
		assert_int_equal(cpu, expected[i].cpu);
	}
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 0);
	trace_reading_done(&r);
}

static void what_is_later_waits(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = two_queues();
	_cleanup_(session_freep) struct session *s = scanned(&rec);
	struct trace_reading r;
	uint32_t cpu;

	trace_reading_init(&r, s->traces);
	trace_reading_refill(&r);
	assert_int_equal(next_time(&r, 5, &cpu), 0);
	assert_int_equal(next_time(&r, 15, &cpu), 10);
	assert_int_equal(next_time(&r, 15, &cpu), 0);
	assert_int_equal(next_time(&r, 25, &cpu), 20);
	trace_reading_forget(&r);
	assert_int_equal(next_time(&r, 35, &cpu), 30);
	trace_reading_done(&r);
}

static void one_queue_knows_nothing_of_the_other(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = two_queues();
	_cleanup_(session_freep) struct session *s = scanned(&rec);
	struct trace_reading r;
	uint32_t cpu;

	trace_reading_init_one(&r, s->traces, 1);
	trace_reading_refill(&r);
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 20);
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 30);
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 40);
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 0);
	trace_reading_done(&r);
}

static void a_queue_that_was_at_its_end_goes_on_with_new_pieces(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = two_queues();
	_cleanup_(session_freep) struct session *s = scanned(&rec);
	struct trace_reading r;
	uint8_t bytes[LOAD_SIZE];
	uint32_t cpu;

	trace_reading_init(&r, s->traces);
	trace_reading_refill(&r);
	while (next_time(&r, UINT64_MAX, &cpu))
		;
	put_load(bytes, 50, 7);
	*ARRAY_ADD(s->traces->queues.items[0]) = (struct aux_piece){ .bytes = bytes,
								     .size = sizeof(bytes) };
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 0);
	trace_reading_refill(&r);
	assert_int_equal(next_time(&r, UINT64_MAX, &cpu), 50);
	trace_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queues_are_read_in_order_of_time),
		cmocka_unit_test(what_is_later_waits),
		cmocka_unit_test(one_queue_knows_nothing_of_the_other),
		cmocka_unit_test(a_queue_that_was_at_its_end_goes_on_with_new_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
