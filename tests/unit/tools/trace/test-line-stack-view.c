/* SPDX-License-Identifier: MIT */
#include "trace-lines.h"

#define INDENT "                                       "

static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010, 0x1020, 0x9000 };

static const struct session_event event = {
	.name = (char *)"e",
	.attr.sample_type = PERF_SAMPLE_CALLCHAIN,
};

static struct sample sample_with_stack(void)
{
	return (struct sample){ .pid = 7,
				.tid = 8,
				.cpu = 1,
				.misc = PERF_RECORD_MISC_USER,
				.chain = { .bytes = (const uint8_t *)chain, .n = 4 } };
}

static void frames_stand_below_the_line(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	struct sample s = sample_with_stack();

	(void)state;
	trace_fixture_init(&f);
	assert_sample_line(&f, &event, &s,
			   "     1.000 sh/8 e()\n" INDENT "[0x10] (/bin/sh)\n" INDENT
			   "[0x20] (/bin/sh)\n" INDENT "[0x9000] ([unknown])\n");
}

static void a_stack_that_is_too_short_hides_the_line(void **state)
{
	_cleanup_(trace_fixture_done) struct trace_fixture f;
	struct sample s = sample_with_stack();

	(void)state;
	trace_fixture_init(&f);
	f.style.min_stack = 4;
	assert_sample_line(&f, &event, &s, "");
	f.style.min_stack = 3;
	f.style.max_stack = 1;
	assert_sample_line(&f, &event, &s, "");
	f.style.min_stack = 1;
	assert_sample_line(&f, &event, &s, "     1.000 sh/8 e()\n" INDENT "[0x10] (/bin/sh)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_stand_below_the_line),
		cmocka_unit_test(a_stack_that_is_too_short_hides_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
