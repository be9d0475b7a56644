/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <sys/resource.h>

#include "capture/record-priority.h"
#include "skip.h"

static void what_was_raised_is_as_before_in_the_end(void **state)
{
	(void)state;
	struct record_priority p = { 0 };
	int policy = sched_getscheduler(0), nice = getpriority(PRIO_PROCESS, 0);

	if (record_priority_raise(1, &p) < 0)
		skip_because("an ordinary user may not");
	assert_true((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO ||
		    getpriority(PRIO_PROCESS, 0) < nice);
	record_priority_restore(&p);
	assert_int_equal(sched_getscheduler(0), policy);
	assert_int_equal(getpriority(PRIO_PROCESS, 0), nice);
}

static void what_was_not_raised_is_left_alone(void **state)
{
	(void)state;
	struct record_priority p = { .policy = SCHED_IDLE, .nice = 19 };
	int policy = sched_getscheduler(0);

	record_priority_restore(&p);
	assert_int_equal(sched_getscheduler(0), policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_raised_is_as_before_in_the_end),
		cmocka_unit_test(what_was_not_raised_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
