/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "profile/skid.h"
#include "session/session.h"

static bool skids(uint32_t type, uint64_t config, unsigned precise)
{
	struct session_event e = {
		.attr = { .type = type, .config = config, .precise_ip = precise & 3 },
	};

	return event_skids(&e);
}

static void clocks_skid_whatever_was_asked_for(void **state)
{
	(void)state;
	assert_true(skids(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0));
	assert_true(skids(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 2));
	assert_false(skids(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0));
}

static void counters_skid_unless_they_are_precise(void **state)
{
	(void)state;
	assert_true(skids(PERF_TYPE_HARDWARE, 0, 0));
	assert_true(skids(PERF_TYPE_HW_CACHE, 0, 0));
	assert_true(skids(PERF_TYPE_RAW, 0x1234, 0));
	assert_false(skids(PERF_TYPE_HARDWARE, 0, 1));
	assert_false(skids(PERF_TYPE_RAW, 0x1234, 3));
}

static void exact_addresses_do_not(void **state)
{
	struct session_event decoded = { .attr = { .type = PERF_TYPE_HARDWARE }, .decoded = true };

	(void)state;
	assert_false(event_skids(&decoded));
	assert_false(skids(PERF_TYPE_TRACEPOINT, 1, 0));
	assert_false(skids(PERF_TYPE_BREAKPOINT, 0, 0));
	assert_false(skids(10, 0, 0)); /* another PMU */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_skid_whatever_was_asked_for),
		cmocka_unit_test(counters_skid_unless_they_are_precise),
		cmocka_unit_test(exact_addresses_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
