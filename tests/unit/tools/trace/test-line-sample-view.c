/* SPDX-License-Identifier: MIT */
#include "trace-lines.h"

static void fields_are_shown_by_their_types(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	struct trace_example r = trace_example_record();
	struct sample s = trace_example_sample(&r);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, trace_example_text);
	assert_sample_line(&f, &e.event, &s,
			   "     1.000 sh/8 s:e(low: -3, pid: 9, big: 12, pointer: 0x1f, "
			   "who: \"me\", path: \"/a\\x1bb\\n\", addr: [127, 0, 0, 1])\n");
	f.style.values.shows_names = false;
	f.style.hides_comm = true;
	r.big = UINT64_MAX - 15;
	assert_sample_line(&f, &e.event, &s,
			   "     1.000 8 s:e(-3, 9, 0xfffffffffffffff0, 0x1f, \"me\", "
			   "\"/a\\x1bb\\n\", [127, 0, 0, 1])\n");
}

static void zeros_are_hidden_unless_wanted(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	struct trace_example r = { .who = "me", .path = 0 };
	struct sample s = trace_example_sample(&r);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, trace_example_text);
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(who: \"me\", path: \"\")\n");
	f.style.values.shows_zeros = true;
	assert_sample_line(&f, &e.event, &s,
			   "     1.000 sh/8 s:e(low: 0, pid: 0, big: 0, pointer: 0x0, who: \"me\", "
			   "path: \"\", addr: [0, 0, 0, 0])\n");
}

static void what_a_short_record_lacks_is_left_out(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	struct trace_example r = trace_example_record();
	struct sample s = trace_example_sample(&r);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, trace_example_text);
	s.raw_size = 14;
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(low: -3)\n");
	s.raw_size = 0;
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e()\n");
}

static void the_print_format_can_be_asked_for(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	_cleanup_(trace_example_done) struct trace_example_event e;
	struct trace_example r = trace_example_record();
	struct sample s = trace_example_sample(&r);

	(void)state;
	trace_fixture_init(&f);
	trace_example_init(&e, trace_example_text);
	f.style.prints_format = true;
	memcpy(r.who, "m\033e", 4);
	assert_sample_line(&f, &e.event, &s, "     1.000 sh/8 s:e(low=-3 who=m\\x1be)\n");
}

static void events_without_a_format_have_no_fields(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	const struct session_event e = { .name = (char *)"context-switches" };
	const struct sample s = { .pid = 7, .tid = 8, .cpu = 2 };

	(void)state;
	trace_fixture_init(&f);
	f.style.shows_cpu = true;
	f.style.hides_duration = false;
	assert_sample_line(&f, &e, &s, "     1.000 [002] (         ): sh/8 context-switches()\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_shown_by_their_types),
		cmocka_unit_test(zeros_are_hidden_unless_wanted),
		cmocka_unit_test(what_a_short_record_lacks_is_left_out),
		cmocka_unit_test(the_print_format_can_be_asked_for),
		cmocka_unit_test(events_without_a_format_have_no_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
