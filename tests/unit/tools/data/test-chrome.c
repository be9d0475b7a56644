/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "example-timeline.h"
#include "tools/data/chrome.h"

static void hostile_names_stay_in_their_strings(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t node;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_chrome);
	node = stacks_child(&f.stacks, stacks_root(&f.stacks, 0),
			    add_frame(f.frames, PROGRAM, 0x1110, &inlined));
	s = sample_at(1234567, stack_table_add(&f.t.stacks, 0, &f.stacks, node));
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"name\":\"quote\\\"\\n\\ufffd\""));
	assert_non_null(strstr(f.out,
			       "\"samples\":[{\"cpu\":1,\"tid\":7,\"ts\":1234.567,"
			       "\"name\":\"a\\\"b</script>\\n\",\"sf\":\"0\",\"weight\":3}]"));
	assert_non_null(strstr(f.out, "\"args\":{\"name\":\"comm\\u0001\\ufffd\"}"));
}

static void a_sample_may_have_no_stack(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s = sample_at(5, CODE_NONE);

	(void)state;
	fixture_init(&f, &export_chrome);
	s.cpu = -1;
	add_sample(&f, s);
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"samples\":[{\"tid\":7,\"ts\":0.005,"));
	assert_null(strstr(f.out, "\"sf\""));
	assert_non_null(strstr(f.out, "\"weight\":3},{"));
}

static void nothing_is_an_empty_trace(void **state)
{
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	fixture_init(&f, &export_chrome);
	finish(&f);
	assert_non_null(strstr(f.out, "\"stackFrames\":{},\"samples\":[]}"));
}

static void tracepoints_are_instants_and_samples(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s = sample_at(5000, CODE_NONE);

	(void)state;
	fixture_init(&f, &export_chrome);
	s.text = "x=\"1\"";
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"ts\":5.000,\"args\":{\"text\":\"x=\\\"1\\\"\"}}"));
	assert_non_null(strstr(f.out, "\"samples\":[{"));
}

/* Readers identify the thread of a sample only by its number. */
static void no_thread_has_the_number_of_a_cpu(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_switch comes = { .time = 1000, .task = 0, .cpu = 0, .comes = true };
	struct timeline_switch leaves = { .time = 3500, .task = 0, .cpu = 0, .state = 'S' };

	(void)state;
	fixture_init(&f, &export_chrome);
	add_switch(&f, comes);
	add_switch(&f, leaves);
	finish(&f);
	assert_non_null(strstr(f.out, "\"pid\":1073741824,\"tid\":1073741825,\"cat\":\"sched\","
				      "\"ts\":1.000,\"dur\":2.500,"));
	assert_non_null(strstr(f.out, "\"tid\":1073741825,\"args\":{\"name\":\"CPU 0\"}"));
}

/* After its exit a thread has the number -1, whatever its process is. */
static void threads_of_the_same_number_are_told_apart(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	static struct timeline_task gone[] = {
		{ .pid = 7, .tid = UINT32_MAX, .comm = "a" },
		{ .pid = 8, .tid = UINT32_MAX, .comm = "b" },
	};
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_chrome);
	f.t.tasks.items = gone;
	s = sample_at(1000, CODE_NONE);
	s.task = 1;
	add_sample(&f, s);
	s.task = 0;
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"samples\":[{\"cpu\":1,\"tid\":-1,"));
	assert_non_null(strstr(f.out, ",{\"cpu\":1,\"tid\":1073807361,"));
	assert_non_null(strstr(f.out, "\"pid\":7,\"tid\":1073807361,\"args\":{\"name\":\"a\"}"));
	assert_non_null(strstr(f.out, "\"pid\":8,\"tid\":-1,\"args\":{\"name\":\"b\"}"));
}

static void a_cpu_that_cannot_be_is_not_drawn(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_switch comes = { .time = 1000, .cpu = UINT32_MAX, .comes = true };

	(void)state;
	fixture_init(&f, &export_chrome);
	add_switch(&f, comes);
	comes.cpu = -1;
	add_switch(&f, comes);
	finish(&f);
	assert_null(strstr(f.out, "CPUs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_names_stay_in_their_strings),
		cmocka_unit_test(a_sample_may_have_no_stack),
		cmocka_unit_test(nothing_is_an_empty_trace),
		cmocka_unit_test(tracepoints_are_instants_and_samples),
		cmocka_unit_test(no_thread_has_the_number_of_a_cpu),
		cmocka_unit_test(threads_of_the_same_number_are_told_apart),
		cmocka_unit_test(a_cpu_that_cannot_be_is_not_drawn),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
