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
#include "tools/data/speedscope.h"

static void lanes_are_threads_and_events(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_speedscope);
	s = sample_at(1, add_stack_of(&f, &library_function));
	add_sample(&f, s);
	add_sample(&f, s); /* one run of two samples */
	s.stack = CODE_NONE;
	add_sample(&f, s);
	s.task = 1;
	s.event = &other_event;
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"profiles\":[{\"type\":\"sampled\","
				      "\"name\":\"comm\\u0001\\ufffd 7/7: a\\\"b</script>\\n\","
				      "\"unit\":\"none\",\"startValue\":0,\"endValue\":9,"
				      "\"samples\":[[1,0],[]],\"weights\":[6,3]},"
				      "{\"type\":\"sampled\",\"name\":\"zero 7/0: other\","
				      "\"unit\":\"none\",\"startValue\":0,\"endValue\":3,"
				      "\"samples\":[[]],\"weights\":[3]}]"));
	assert_non_null(strstr(f.out,
			       "\"shared\":{\"frames\":[{\"name\":\"f\",\"file\":\"/lib/b\"},"
			       "{\"name\":\"main\",\"file\":\"/bin/a\"}]}}"));
}

static void clocks_weigh_nanoseconds(void **state)
{
	static const struct session_event clock = {
		.name = event_name,
		.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK },
	};
	_cleanup_(fixture_done) struct fixture f;
	struct timeline_sample s;

	(void)state;
	fixture_init(&f, &export_speedscope);
	s = sample_at(1, CODE_NONE);
	s.event = &clock;
	add_sample(&f, s);
	finish(&f);
	assert_non_null(strstr(f.out, "\"unit\":\"nanoseconds\""));
}

static void code_without_a_name_has_its_address(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t node;

	(void)state;
	fixture_init(&f, &export_speedscope);
	node = stacks_child(&f.stacks, stacks_root(&f.stacks, 0),
			    add_frame(f.frames, LIBRARY, 0x123, NULL));
	add_sample(&f, sample_at(1, stack_table_add(&f.t.stacks, 0, &f.stacks, node)));
	finish(&f);
	assert_non_null(strstr(f.out, "[{\"name\":\"0x90123\",\"file\":\"/lib/b\"}]"));
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
	fixture_init(&f, &export_speedscope);
	add_sample(&f, sample_at(1, add_stack_of(&f, &sym)));
	finish(&f);
	at = strstr(f.out, "\"name\":\"a\\\"\\\\\\n\\u0001\\ufffdnn");
	assert_non_null(at);
	assert_int_equal(strspn(strstr(at, "fffdn") + 4, "n"), sizeof(name) - 1 - 6);
}

static void nothing_is_no_profile(void **state)
{
	_cleanup_(fixture_done) struct fixture f;

	(void)state;
	fixture_init(&f, &export_speedscope);
	finish(&f);
	assert_non_null(strstr(f.out, "\"profiles\":[],\"shared\":{\"frames\":[]}}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_are_threads_and_events),
		cmocka_unit_test(clocks_weigh_nanoseconds),
		cmocka_unit_test(code_without_a_name_has_its_address),
		cmocka_unit_test(names_may_be_long_and_hostile),
		cmocka_unit_test(nothing_is_no_profile),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
