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
#include "tools/data/firefox.h"

static void a_thread_has_tables_of_its_own(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_firefox);
	s = sample_at(1000000, add_stack_of(&f, &library_function));
	add_sample(&f, s);
	s.time = 3500000;
	s.stack = CODE_NONE;
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"preprocessedProfileVersion\":44"));
	assert_non_null(strstr(f.out, "\"name\":\"comm\\u0001\\ufffd\""));
	assert_non_null(strstr(f.out, "\"pid\":\"7\",\"tid\":7,\"isMainThread\":true"));
	assert_non_null(strstr(f.out, "\"samples\":{\"length\":2,\"stack\":[1,null],"
				      "\"time\":[0.000000,2.500000],\"weight\":[3,3],"
				      "\"weightType\":\"samples\"}"));
	assert_non_null(strstr(f.out, "\"stackTable\":{\"length\":2,\"prefix\":[null,0],"
				      "\"frame\":[0,1],"));
	assert_non_null(strstr(f.out, "\"func\":[0,1]"));
	assert_non_null(strstr(f.out, "\"funcTable\":{\"length\":2,\"name\":[0,1],"));
	assert_non_null(strstr(f.out, "\"resource\":[0,1]"));
	assert_non_null(strstr(f.out, "\"stringArray\":[\"main\",\"f\",\"a\",\"b\"]"));
	assert_non_null(strstr(f.out, "{\"name\":\"a\",\"path\":\"/bin/a\","));
}

static void another_event_is_another_thread(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_firefox);
	s = sample_at(1, CODE_NONE);
	add_sample(&f, s);
	s.event = &other_event;
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"name\":\"comm\\u0001\\ufffd (other)\""));
}

static void tracepoints_are_markers(void **state)
{
	static char name[] = "sched:x";
	static const struct session_event tracepoint = { .name = name, .tracepoint = "x" };
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_firefox);
	s = sample_at(5, add_stack_of(&f, &main_function));
	s.event = &tracepoint;
	s.text = "a=\"\xff\"";
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"samples\":{\"length\":0,"));
	assert_non_null(strstr(f.out, "\"markers\":{\"length\":1,\"category\":[4],"
				      "\"data\":[{\"type\":\"perf\",\"text\":\"a=\\\"\\ufffd\\\"\","
				      "\"cause\":{\"stack\":0}}],\"startTime\":[0.000000],"
				      "\"endTime\":[null],"));
	assert_non_null(strstr(f.out, "\"stringArray\":[\"main\",\"sched:x\""));
}

static void switches_are_time_off_the_cpu_and_lanes(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_firefox);
	s = sample_at(1000000, CODE_NONE);
	add_switch(&f, (struct timeline_switch){ .time = 1000000, .task = 0, .comes = true });
	add_sample(&f, s);
	add_switch(&f, (struct timeline_switch){ .time = 2000000, .task = 0, .state = 'D' });
	add_switch(&f, (struct timeline_switch){ .time = 5000000, .task = 0, .comes = true });
	s.time = 6000000;
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"threadCPUDelta\":[0,2000000]"));
	assert_non_null(strstr(f.out, "\"text\":\"blocked\""));
	assert_non_null(strstr(f.out, "\"startTime\":[1.000000],\"endTime\":[4.000000]"));
	assert_non_null(strstr(f.out, "\"name\":\"CPU 0\",\"processName\":\"CPUs\""));
	assert_non_null(strstr(f.out, "\"startTime\":[0.000000,4.000000],"
				      "\"endTime\":[1.000000,5.000000]"));
}

static void names_may_be_long_and_hostile(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	static char name[65536];
	struct symbol sym = library_function;
	const char *at;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	memcpy(name, "a\"\\\n\x01\xff", 6);
	sym.name = name;
	fixture_init(&f, &export_firefox);
	add_sample(&f, sample_at(1, add_stack_of(&f, &sym)));
	finish(&f);
	at = strstr(f.out, "\"stringArray\":[\"main\",\"a\\\"\\\\\\n\\u0001\\ufffdnn");
	assert_non_null(at);
	assert_int_equal(strspn(strstr(at, "fffdn") + 4, "n"), sizeof(name) - 1 - 6);
}

static void nothing_is_no_thread(void **state)
{
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	fixture_init(&f, &export_firefox);
	finish(&f);
	assert_non_null(strstr(f.out, "\"libs\":[],\"threads\":[]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_tables_of_its_own),
		cmocka_unit_test(another_event_is_another_thread),
		cmocka_unit_test(tracepoints_are_markers),
		cmocka_unit_test(switches_are_time_off_the_cpu_and_lanes),
		cmocka_unit_test(names_may_be_long_and_hostile),
		cmocka_unit_test(nothing_is_no_thread),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
