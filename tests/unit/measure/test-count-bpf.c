/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "measure/count-bpf.h"
#include "measure/count.h"

static struct event cycles = { .name = "cycles" };
static struct event faults = { .name = "page-faults", .modifiers = { .bpf_counter = true } };
static struct event elapsed = { .name = "duration_time", .tool = EVENT_TOOL_DURATION_TIME };
static struct event *events[] = { &cycles, &faults, &elapsed };

static struct count_job job_for(const struct count_request *rq)
{
	return (struct count_job){ .rq = rq, .plan = { .events = { .items = events, .n = 3 } } };
}

static void assert_chosen(const struct count_job *j, bool first, bool second)
{
	bool *chosen = count_bpf_choose(j);

	if (!first && !second) {
		assert_null(chosen);
		return;
	}
	assert_non_null(chosen);
	assert_int_equal(chosen[0], first);
	assert_int_equal(chosen[1], second);
	/* perf itself counts time. */
	assert_false(chosen[2]);
	free(chosen);
}

static void events_are_chosen_by_modifier_option_and_name(void **state)
{
	struct count_request rq = { 0 };
	struct count_job j = job_for(&rq);

	(void)state;
	assert_chosen(&j, false, true);
	rq.bpf.events = "cycle,cycles";
	assert_chosen(&j, true, true);
	rq.bpf.events = "instructions,cycle, cycles:u";
	assert_chosen(&j, false, true);
	rq.bpf.events = ",,";
	assert_chosen(&j, false, true);
	rq.bpf.counters = true;
	assert_chosen(&j, true, true);
}

static void none_is_chosen_once_bpf_has_failed(void **state)
{
	struct count_request rq = { .bpf.counters = true };
	struct count_job j = job_for(&rq);

	(void)state;
	j.without_bpf = true;
	assert_chosen(&j, false, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_chosen_by_modifier_option_and_name),
		cmocka_unit_test(none_is_chosen_once_bpf_has_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
