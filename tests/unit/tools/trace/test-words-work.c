/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/id-list.h"
#include "tools/trace/trace-work.h"
#include "tools/trace/words-work.h"

static void calls_by_tracepoints_come_last(void **state)
{
	_cleanup_(trace_words_done) struct trace_words w = { 0 };
	int pid = 7;
	const struct id_list left_out = { .items = &pid, .n = 1 };
	const struct trace_request rq = { .selection.takes_calls = true,
					  .faults = TRACE_FAULTS_MAJOR };

	(void)state;
	trace_words_make(&w, &rq, &left_out, false);
	assert_int_equal(w.events.n, 3);
	assert_string_equal(w.events.items[0].text, "major-faults/period=1,name=major-faults/");
	assert_string_equal(w.events.items[1].text, "raw_syscalls:sys_enter,raw_syscalls:sys_exit");
	assert_int_equal(w.events.items[2].kind, EVENT_WORD_FILTER);
	assert_string_equal(w.events.items[2].text, "common_pid != 7");
}

static void programs_need_tracepoints_only_for_stacks(void **state)
{
	_cleanup_(trace_words_done) struct trace_words w = { 0 };
	struct trace_request rq = { .selection.takes_calls = true };

	(void)state;
	trace_words_make(&w, &rq, &(struct id_list){ 0 }, true);
	assert_int_equal(w.events.n, 0);
	rq.what.sampling.callgraph.choice.mode = CALLGRAPH_FP;
	trace_words_make(&w, &rq, &(struct id_list){ 0 }, true);
	assert_int_equal(w.events.n, 1);
	assert_string_equal(w.events.items[0].text, "raw_syscalls:sys_exit");
}

static void an_event_is_opened_once(void **state)
{
	_cleanup_(trace_words_done) struct trace_words w = { 0 };
	const struct trace_request rq = { .switch_on = "a:b", .switch_off = "a:b" };

	(void)state;
	trace_words_make(&w, &rq, &(struct id_list){ 0 }, false);
	assert_int_equal(w.events.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_by_tracepoints_come_last),
		cmocka_unit_test(programs_need_tracepoints_only_for_stacks),
		cmocka_unit_test(an_event_is_opened_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
