/* SPDX-License-Identifier: MIT */
#include "cmd/parse.h"

#include <config.h>

#include "cli/command.h"
#include "cli/config.h"
#include "cmd/record-job.h"
#include "cmd/record-opts.h"
#include "cmd/record-unwind.h"

static const struct option options[] = { OPT_CALL(0, "unwind", struct record_opts, unwind,
						  "now|later", "", .set = record_unwind_set),
					 OPT_END };

/* An event with stacks of 8 KiB, as --call-graph dwarf makes it. */
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

/* Without it stacks are always unwound later. */
static void need_libelf(void)
{
	if (!HAVE_LIBELF)
		skip();
}

static void choose(const struct record_opts *o, struct event *e, struct record_job *ret)
{
	static struct invocation nobody;
	static struct event *items[1];

	items[0] = e;
	*ret = (struct record_job){ .inv = &nobody, .o = o };
	ret->events.items = items;
	ret->events.n = 1;
	record_unwind_choose(ret);
}

static void now_and_later_are_understood(void **state)
{
	struct record_opts o = { 0 };

	(void)state;
	assert_int_equal(PARSE(options, &o, "--unwind=now"), 0);
	assert_int_equal(o.unwind, RECORD_UNWIND_NOW);
	assert_int_equal(PARSE(options, &o, "--unwind", "later"), 0);
	assert_int_equal(o.unwind, RECORD_UNWIND_LATER);
	assert_int_equal(PARSE(options, &o, "--unwind=soon"), -EINVAL);
	assert_int_equal(PARSE(options, &o, "--unwind=now", "--no-unwind"), 0);
	assert_int_equal(o.unwind, RECORD_UNWIND_LATER);
}

static void the_configuration_counts_where_nothing_was_said(void **state)
{
	static const char text[] = "[record]\n\tunwind = later\n";
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(config_done) struct config c = { 0 };
	enum record_unwind unwind = RECORD_UNWIND_UNSAID;

	(void)state;
	assert_int_equal(config_parse(&c, text, strlen(text), "x", &diag), 0);
	assert_int_equal(record_unwind_config(&c, &unwind, &diag), 0);
	assert_int_equal(unwind, RECORD_UNWIND_LATER);
	unwind = RECORD_UNWIND_NOW;
	assert_int_equal(record_unwind_config(&c, &unwind, &diag), 0);
	assert_int_equal(unwind, RECORD_UNWIND_NOW);
}

static void stacks_are_unwound_now_unless_later_is_said(void **state)
{
	struct event e = event_with_stacks();
	struct record_opts o = { .verbosity.quiet = true };
	struct record_job j;

	(void)state;
	need_libelf();
	choose(&o, &e, &j);
	assert_true(j.unwinds);
	o.unwind = RECORD_UNWIND_LATER;
	choose(&o, &e, &j);
	assert_false(j.unwinds);
}

static void events_without_stacks_have_nothing_to_unwind(void **state)
{
	const struct record_opts o = { .unwind = RECORD_UNWIND_NOW };
	struct event e = { .attr.sample_type = PERF_SAMPLE_CALLCHAIN };
	struct record_job j;

	(void)state;
	choose(&o, &e, &j);
	assert_false(j.unwinds);
}

static void what_sees_too_little_copies(void **state)
{
	struct event e = event_with_stacks();
	struct record_opts o = { .verbosity.quiet = true, .unwind = RECORD_UNWIND_NOW };
	struct record_job j;

	(void)state;
	o.buffer.threads.kind = THREADS_PER_CPU;
	choose(&o, &e, &j);
	assert_false(j.unwinds);
	o.buffer.threads.kind = THREADS_ONE;
	o.sideband.tail_synthesize = true;
	choose(&o, &e, &j);
	assert_false(j.unwinds);
	o.sideband.tail_synthesize = false;
	e.attr.write_backward = 1;
	choose(&o, &e, &j);
	assert_false(j.unwinds);
	/* And the stack that was asked for stays. */
	assert_int_equal(e.attr.sample_stack_user, 8192);
}

static void larger_stacks_are_copied_where_buffers_are_large(void **state)
{
	struct event e = event_with_stacks();
	struct record_opts o = { .buffer.size.data_pages = 1 };
	struct record_job j;

	(void)state;
	need_libelf();
	choose(&o, &e, &j);
	assert_int_equal(e.attr.sample_stack_user, 8192);
	o.buffer.size.data_pages = 1 << 14;
	o.callgraph.choice.stack_given = true;
	choose(&o, &e, &j);
	assert_int_equal(e.attr.sample_stack_user, 8192);
	o.callgraph.choice.stack_given = false;
	choose(&o, &e, &j);
	assert_int_equal(e.attr.sample_stack_user, 32768);
}

static void stacks_that_come_in_bursts_stay_small(void **state)
{
	const struct record_opts o = { .buffer.size.data_pages = 1 << 14 };
	struct event e = event_with_stacks();
	struct record_job j;

	(void)state;
	need_libelf();
	e.attr.freq = 0;
	choose(&o, &e, &j);
	assert_true(j.unwinds);
	assert_int_equal(e.attr.sample_stack_user, 8192);
}

static void the_file_has_another_attr_than_the_kernel(void **state)
{
	struct event e = event_with_stacks();
	struct record_opts o = { 0 };
	struct record_job j;

	(void)state;
	need_libelf();
	choose(&o, &e, &j);
	assert_int_equal(record_unwind_attr(&j, &e.attr).sample_type, PERF_SAMPLE_CALLCHAIN);
	o.sample.user_regs = "";
	assert_int_equal(record_unwind_attr(&j, &e.attr).sample_type,
			 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER);
	j.unwinds = false;
	assert_int_equal(record_unwind_attr(&j, &e.attr).sample_type, e.attr.sample_type);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(now_and_later_are_understood),
		cmocka_unit_test(the_configuration_counts_where_nothing_was_said),
		cmocka_unit_test(stacks_are_unwound_now_unless_later_is_said),
		cmocka_unit_test(events_without_stacks_have_nothing_to_unwind),
		cmocka_unit_test(what_sees_too_little_copies),
		cmocka_unit_test(larger_stacks_are_copied_where_buffers_are_large),
		cmocka_unit_test(stacks_that_come_in_bursts_stay_small),
		cmocka_unit_test(the_file_has_another_attr_than_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
