/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "tools/sched/stats-model.h"

static int add(struct sched_stats *s, uint64_t time, uint32_t cpu, int domain, uint64_t first)
{
	struct schedstat_line l = { .is_domain = domain >= 0,
				    .time = time,
				    .cpu = cpu,
				    .version = 15,
				    .domain = (uint16_t)(domain < 0 ? 0 : domain) };

	for (size_t i = 0; i < schedstat_values(15, l.is_domain); i++)
		l.values[i] = first + i;
	return sched_stats_add(s, &l);
}

static void counters_are_what_they_grew_by(void **state)
{
	_cleanup_(sched_stats_done) struct sched_stats s = { .version = 0 };

	(void)state;
	assert_int_equal(add(&s, 1000, 0, -1, 5), 0);
	assert_int_equal(add(&s, 1000, 0, 1, 7), 0);
	assert_int_equal(add(&s, 1500, 0, -1, 25), 0);
	assert_int_equal(add(&s, 1500, 0, 1, 10), 0);
	assert_int_equal(s.end - s.begin, 500);
	assert_int_equal(s.cpus.n, 1);
	assert_int_equal(s.cpus.items[0].values[8], 20);
	assert_int_equal(s.cpus.items[0].domains.items[0].values[35], 3);
}

static void counters_of_32_bits_run_over(void **state)
{
	_cleanup_(sched_stats_done) struct sched_stats s = { .version = 0 };

	(void)state;
	add(&s, 0, 0, -1, UINT32_MAX);
	add(&s, 1, 0, -1, 4);
	assert_int_equal(s.cpus.items[0].values[0], 5);
}

static void a_third_line_another_version_or_too_many_domains_are_refused(void **state)
{
	_cleanup_(sched_stats_done) struct sched_stats s = { .version = 0 };
	struct schedstat_line other = { .version = 16 };

	(void)state;
	add(&s, 0, 0, -1, 0);
	add(&s, 1, 0, -1, 0);
	assert_int_equal(add(&s, 2, 0, -1, 0), -EINVAL);
	assert_int_equal(sched_stats_add(&s, &other), -EINVAL);
	assert_int_equal(add(&s, 2, 4000000000u, -1, 0), -EINVAL);
	for (int i = 0; i < SCHED_STATS_DOMAINS_MAX; i++)
		assert_int_equal(add(&s, 2, 0, i, 0), 0);
	assert_int_equal(add(&s, 2, 0, SCHED_STATS_DOMAINS_MAX, 0), -EINVAL);
}

static void averages_are_those_of_cpus_and_of_domains_with_the_same_number(void **state)
{
	_cleanup_(sched_stats_done) struct sched_stats s = { .version = 0 }, all;

	(void)state;
	for (int end = 0; end < 2; end++) {
		add(&s, 0, 0, -1, end ? 10 : 0);
		add(&s, 0, 0, 0, end ? 5 : 0);
		add(&s, 0, 1, -1, end ? 21 : 0);
		add(&s, 0, 1, 0, end ? 8 : 0);
		add(&s, 0, 1, 1, end ? 9 : 0);
	}
	sched_stats_average(&s, &all);
	assert_int_equal(all.cpus.n, 1);
	assert_int_equal(all.cpus.items[0].values[0], 15);
	assert_int_equal(all.cpus.items[0].domains.n, 2);
	assert_int_equal(all.cpus.items[0].domains.items[0].values[0], 6);
	assert_int_equal(all.cpus.items[0].domains.items[1].values[0], 9);
}

static void nothing_has_no_average(void **state)
{
	_cleanup_(sched_stats_done) struct sched_stats s = { .version = 0 }, all;

	(void)state;
	sched_stats_average(&s, &all);
	assert_int_equal(all.cpus.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_what_they_grew_by),
		cmocka_unit_test(counters_of_32_bits_run_over),
		cmocka_unit_test(a_third_line_another_version_or_too_many_domains_are_refused),
		cmocka_unit_test(averages_are_those_of_cpus_and_of_domains_with_the_same_number),
		cmocka_unit_test(nothing_has_no_average),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
