/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/perf-event.h"
#include "wire/attr.h"
#include "skip.h"

static const struct attr task_clock = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_TASK_CLOCK,
	.disabled = 1,
	.exclude_kernel = 1,
	.exclude_hv = 1,
};

/* Skips the test if the call is forbidden, as in some containers. */
static void need_the_call(void)
{
	if (!perf_event_supported(&task_clock))
		skip_because("events cannot be opened here");
}

static void the_descriptor_closes_on_exec(void **state)
{
	(void)state;
	need_the_call();
	_cleanup_(closep) int fd = perf_event_open(&task_clock, 0, -1, -1, 0);

	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

static void a_refusal_is_the_errno(void **state)
{
	(void)state;
	need_the_call();
	struct attr unknown = task_clock;

	unknown.type = 0x7fffffff;
	assert_int_equal(perf_event_open(&unknown, 0, -1, -1, 0), -ENOENT);
	unknown = task_clock;
	unknown.size = 8;
	assert_int_equal(perf_event_open(&unknown, 0, -1, -1, 0), -E2BIG);
}

static void an_event_that_no_pmu_has_is_not_supported(void **state)
{
	(void)state;
	struct attr unknown = task_clock;

	unknown.type = 0x7fffffff;
	assert_false(perf_event_supported(&unknown));
}

static void the_paranoid_level_is_a_small_number(void **state)
{
	(void)state;
	assert_in_range(perf_event_paranoid() + 1, 0, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_descriptor_closes_on_exec),
		cmocka_unit_test(a_refusal_is_the_errno),
		cmocka_unit_test(an_event_that_no_pmu_has_is_not_supported),
		cmocka_unit_test(the_paranoid_level_is_a_small_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
