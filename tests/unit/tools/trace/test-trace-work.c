/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "tools/trace/internal-work.h"
#include "tools/trace/tasks-model.h"
#include "tools/trace/trace-work.h"

static int no_call(void *arg, const struct trace_call *c)
{
	(void)arg;
	(void)c;
	return 0;
}

static int run(struct trace_request *rq, struct diag *diag)
{
	_cleanup_(trace_tasks_freep) struct trace_tasks *tasks = trace_tasks_new(false);
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct record_result result;
	int r;

	rq->tasks = tasks;
	rq->sink.call = no_call;
	r = trace_run(rq, &notes, &result, diag);
	trace_request_done(rq);
	return r;
}

static struct trace_request request(const char *event, const char *filter)
{
	struct event_words typed = { 0 };
	struct trace_request rq = { .input = "/nonexistent" };
	struct diag diag = { 0 };

	event_words_add(&typed, EVENT_WORD_EVENT, event);
	if (filter)
		event_words_add(&typed, EVENT_WORD_FILTER, filter);
	assert_int_equal(trace_select(&typed, CHOICE_UNSAID, &rq.selection, &diag), 0);
	event_words_done(&typed);
	return rq;
}

static void a_wrong_filter_is_found_before_anything_is_read(void **state)
{
	struct trace_request rq = request("openat", "no_such_argument == 1");
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(run(&rq, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "no_such_argument"));
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	struct trace_request rq = request("openat", "flags & CREAT");
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(run(&rq, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "/nonexistent"));
}

static void the_kernel_counts_unless_calls_have_to_be_looked_at(void **state)
{
	struct trace_request rq = { .only_counts = true };
	struct trace_request filtered = request("openat", "flags & CREAT");
	struct trace_request with_events = request("openat,a:b", NULL);

	(void)state;
	assert_true(trace_can_count(&rq));
	rq.only_failures = true;
	assert_false(trace_can_count(&rq));
	filtered.only_counts = with_events.only_counts = true;
	assert_false(trace_can_count(&filtered));
	assert_false(trace_can_count(&with_events));
	trace_request_done(&filtered);
	trace_request_done(&with_events);
}

static void what_threads_fork_does_not_count_unless_it_was_asked_for(void **state)
{
	struct trace_request rq = { 0 };

	(void)state;
	assert_true(trace_follows_forks(&rq));
	*ARRAY_ADD(&rq.what.target.tids) = 1;
	assert_false(trace_follows_forks(&rq));
	rq.what.no_inherit = CHOICE_NO;
	assert_true(trace_follows_forks(&rq));
	trace_request_done(&rq);
}

static void a_delay_is_a_time_on_the_clock(void **state)
{
	struct trace_request rq = { 0 };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	(void)state;
	assert_int_equal(trace_from_ns(&rq), 0);
	*ARRAY_ADD(&rq.what.control.delay) = (struct delay_range){ 5, DELAY_OPEN };
	assert_true(trace_from_ns(&rq) >= now + 5000000);
	trace_request_done(&rq);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_filter_is_found_before_anything_is_read),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
		cmocka_unit_test(the_kernel_counts_unless_calls_have_to_be_looked_at),
		cmocka_unit_test(what_threads_fork_does_not_count_unless_it_was_asked_for),
		cmocka_unit_test(a_delay_is_a_time_on_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
