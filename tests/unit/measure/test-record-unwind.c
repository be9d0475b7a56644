/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/notes.h"
#include "measure/record-job.h"
#include "measure/record-unwind.h"
#include "skip.h"

static struct notes notes;

/* Returns an event with stacks of 8 KiB, as --call-graph dwarf makes it. */
static struct event event_with_stacks(void)
{
	return (struct event){ .attr = { .freq = 1,
					 .sample_freq = 4000,
					 .sample_type = PERF_SAMPLE_CALLCHAIN |
							PERF_SAMPLE_REGS_USER |
							PERF_SAMPLE_STACK_USER,
					 .sample_regs_user = 1,
					 .sample_stack_user = 8192 } };
}

static void choose(const struct record_request *rq, struct event *e, struct record_job *ret)
{
	static struct event *items[1];

	items[0] = e;
	notes_done(&notes);
	*ret = (struct record_job){ .rq = rq, .notes = &notes };
	ret->events.items = items;
	ret->events.n = 1;
	record_unwind_choose(ret);
}

static void stacks_are_unwound_now_unless_later_is_said(void **state)
{
	struct event e = event_with_stacks();
	struct record_request rq = { 0 };
	struct record_job j;

	(void)state;
	choose(&rq, &e, &j);
	assert_true(j.unwinds);
	rq.unwind = RECORD_UNWIND_LATER;
	choose(&rq, &e, &j);
	assert_false(j.unwinds);
}

static void events_without_stacks_have_nothing_to_unwind(void **state)
{
	const struct record_request rq = { .unwind = RECORD_UNWIND_NOW };
	struct event e = { .attr.sample_type = PERF_SAMPLE_CALLCHAIN };
	struct record_job j;

	(void)state;
	choose(&rq, &e, &j);
	assert_false(j.unwinds);
}

static void what_sees_too_little_copies(void **state)
{
	struct event e = event_with_stacks();
	struct record_request rq = { .unwind = RECORD_UNWIND_NOW };
	struct record_job j;

	(void)state;
	rq.buffer.threads.kind = THREADS_PER_CPU;
	choose(&rq, &e, &j);
	assert_false(j.unwinds);
	assert_int_equal(notes.n, 1);
	assert_int_equal(notes.items[0].kind, NOTE_WARNING);
	rq.buffer.threads.kind = THREADS_ONE;
	rq.sampling.sideband.tail_synthesize = true;
	choose(&rq, &e, &j);
	assert_false(j.unwinds);
	rq.sampling.sideband.tail_synthesize = false;
	e.attr.write_backward = 1;
	choose(&rq, &e, &j);
	assert_false(j.unwinds);
	/* The requested stack stays, too. */
	assert_int_equal(e.attr.sample_stack_user, 8192);
}

static void larger_stacks_are_copied_where_buffers_are_large(void **state)
{
	struct event e = event_with_stacks();
	struct record_request rq = { .buffer.size.data_pages = 1 };
	struct record_job j;

	(void)state;
	choose(&rq, &e, &j);
	assert_int_equal(e.attr.sample_stack_user, 8192);
	rq.buffer.size.data_pages = 1 << 14;
	rq.sampling.callgraph.choice.stack_given = true;
	choose(&rq, &e, &j);
	assert_int_equal(e.attr.sample_stack_user, 8192);
	rq.sampling.callgraph.choice.stack_given = false;
	choose(&rq, &e, &j);
	assert_int_equal(e.attr.sample_stack_user, 32768);
}

static void stacks_that_come_in_bursts_stay_small(void **state)
{
	const struct record_request rq = { .buffer.size.data_pages = 1 << 14 };
	struct event e = event_with_stacks();
	struct record_job j;

	(void)state;
	e.attr.freq = 0;
	choose(&rq, &e, &j);
	assert_true(j.unwinds);
	assert_int_equal(e.attr.sample_stack_user, 8192);
}

static void the_file_has_another_attr_than_the_kernel(void **state)
{
	struct event e = event_with_stacks();
	struct record_request rq = { 0 };
	struct record_job j;

	(void)state;
	choose(&rq, &e, &j);
	assert_int_equal(record_unwind_attr(&j, &e.attr).sample_type, PERF_SAMPLE_CALLCHAIN);
	rq.sampling.sample.user_regs = "";
	assert_int_equal(record_unwind_attr(&j, &e.attr).sample_type,
			 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER);
	j.unwinds = false;
	assert_int_equal(record_unwind_attr(&j, &e.attr).sample_type, e.attr.sample_type);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_unwound_now_unless_later_is_said),
		cmocka_unit_test(events_without_stacks_have_nothing_to_unwind),
		cmocka_unit_test(what_sees_too_little_copies),
		cmocka_unit_test(larger_stacks_are_copied_where_buffers_are_large),
		cmocka_unit_test(stacks_that_come_in_bursts_stay_small),
		cmocka_unit_test(the_file_has_another_attr_than_the_kernel),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	notes_done(&notes);
	return failed;
}
