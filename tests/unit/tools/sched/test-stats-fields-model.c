/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/sched/stats-model.h"

static void every_value_has_a_field(void **state)
{
	(void)state;
	for (uint16_t v = SCHEDSTAT_VERSION_MIN; v <= SCHEDSTAT_VERSION_MAX; v++) {
		size_t n, kinds = 0;
		const struct sched_stats_field *f = sched_stats_domain_fields(v, &n);

		assert_int_equal(n, schedstat_values(v, true));
		for (size_t i = 0; i < n; i++) {
			assert_non_null(f[i].name);
			assert_non_null(f[i].description);
			kinds += f[i].pulled[0] != NULL;
		}
		assert_int_equal(kinds, 3);
		assert_string_equal(f[n - 1].name, "ttwu_move_balance");
		assert_string_equal(f[0].name, v == 15 ? "idle_lb_count" : "busy_lb_count");
	}
}

static void parts_are_of_the_value_that_they_name(void **state)
{
	const struct sched_stats_field *f = sched_stats_cpu_fields();

	(void)state;
	assert_string_equal(f[f[3].part_of - 1].name, "sched_count");
	assert_string_equal(f[f[5].part_of - 1].name, "ttwu_count");
	assert_string_equal(f[f[7].part_of - 1].name, "rq_cpu_time");
}

/* 4 of 10 attempts found a balance and 3 failed; 6 tasks came. */
static void successes_are_what_neither_failed_nor_was_needless(void **state)
{
	struct sched_stats_domain d = { .values = { 10, 4, 3, 0, 6 } };

	(void)state;
	assert_int_equal(sched_stats_successes(&d, 15, 7), 3);
	assert_true(sched_stats_pulled(&d, 15, 7) == 2.0);
	d = (struct sched_stats_domain){ .values = { 10, 4, 6, 0, 0, 0, 0, 6 } };
	assert_int_equal(sched_stats_successes(&d, 17, 10), 0);
	assert_true(sched_stats_pulled(&d, 17, 10) == 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_has_a_field),
		cmocka_unit_test(parts_are_of_the_value_that_they_name),
		cmocka_unit_test(successes_are_what_neither_failed_nor_was_needless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
