/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/bench/programs/numa-places.h"

static void lists_of_numbers_are_read(void **state)
{
	static const int wanted[] = { 0, 2, 4, 5, 6, 1, 1, 1 };
	int *items;
	size_t n;

	(void)state;
	assert_int_equal(bench_numa_list_parse("0,2,4-6,1x3", &items, &n), 0);
	assert_int_equal(n, ARRAY_SIZE(wanted));
	assert_memory_equal(items, wanted, sizeof(wanted));
	free(items);
}

static void other_lists_are_refused(void **state)
{
	static const char *const wrong[] = {
		"",   ",",    "a",  "1,",       "1-",           "3-1",
		"1x", "1x2y", "-1", "99999999", "0-9x99999999", "0x65536,0x65536"
	};
	int *items;
	size_t n;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (bench_numa_list_parse(wrong[i], &items, &n) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
}

static void every_cpu_has_a_node(void **state)
{
	struct bench_numa_places l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	char *why = NULL;

	(void)state;
	assert_int_equal(bench_numa_places_find(&l, "0", "0x2", &why, &d), 0);
	assert_null(why);
	assert_true(l.cpus > 0 && l.nodes > 0);
	for (int i = 0; i < l.cpus; i++)
		assert_true(l.node_of[i] >= 0 && l.node_of[i] < l.nodes);
	assert_int_equal(l.n_task_cpus, 1);
	assert_int_equal(l.n_task_nodes, 2);
	bench_numa_places_done(&l);
}

static void a_cpu_that_is_not_there_is_said(void **state)
{
	struct bench_numa_places l = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *why = NULL;

	(void)state;
	assert_int_equal(bench_numa_places_find(&l, "65535", NULL, &why, &d), -ENOSYS);
	assert_non_null(strstr(why, "CPUs"));
	bench_numa_places_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_numbers_are_read),
		cmocka_unit_test(other_lists_are_refused),
		cmocka_unit_test(every_cpu_has_a_node),
		cmocka_unit_test(a_cpu_that_is_not_there_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
