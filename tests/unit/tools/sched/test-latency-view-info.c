/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "session/session.h"
#include "tools/sched/latency-view.h"

static void assert_prints(const struct sched_info *info, const char *text)
{
	_cleanup_(freep) char *printed = NULL;
	size_t size;
	FILE *out = open_memstream(&printed, &size);

	sched_info_print(out, info);
	fclose(out);
	assert_string_equal(printed, text);
}

static void what_went_wrong_is_said_in_parts_of_a_hundred(void **state)
{
	struct session_counts counts = { .lost_events = 5, .lost_records = 1 };
	struct sched_info info = { .wakeups = 8, .early_wakeups = 1, .switch_bugs = 2 };

	(void)state;
	assert_prints(&info, "  INFO: 12.500% unordered timestamps (1 out of 8)\n"
			     "  INFO: 25.000% context switch bugs (2 out of 8)\n");
	counts.records[PERF_RECORD_SAMPLE] = 12;
	counts.records[PERF_RECORD_FINISHED_ROUND] = 8;
	info = sched_info_of(&counts);
	assert_prints(&info, "  INFO: 25.000% lost events (5 out of 20, in 1 chunks)\n");
	info.wakeups = info.switch_bugs = 1;
	assert_prints(&info, "  INFO: 25.000% lost events (5 out of 20, in 1 chunks)\n"
			     "  INFO: 100.000% context switch bugs (1 out of 1) (due to lost "
			     "events?)\n");
}

static void nothing_wrong_is_not_mentioned(void **state)
{
	const struct sched_info info = { .wakeups = 8, .n_records = 100 };

	(void)state;
	assert_prints(&info, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_went_wrong_is_said_in_parts_of_a_hundred),
		cmocka_unit_test(nothing_wrong_is_not_mentioned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
