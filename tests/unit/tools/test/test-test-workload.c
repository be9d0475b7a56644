/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/test/workload/workload.h"

static void workloads_are_found_by_name(void **state)
{
	(void)state;
	assert_ptr_equal(test_workload_find("noploop"), &test_workload_noploop);
	assert_ptr_equal(test_workload_find("thloop"), &test_workload_thloop);
	assert_null(test_workload_find("loop"));
	assert_null(test_workload_find(""));
}

static void workloads_do_what_they_are_asked_for(void **state)
{
	(void)state;
	assert_int_equal(test_workload_brstack.run((double[]){ 10, 0 }), 0);
	assert_int_equal(test_workload_traploop.run((double[]){ 100, 0 }), 0);
	assert_int_equal(test_workload_named_threads.run((double[]){ 25, 2 }), 0);
	assert_int_equal(test_workload_context_switch_loop.run((double[]){ 3, 0 }), 0);
	assert_int_equal(test_workload_deterministic.run((double[]){ 0, 0 }), 0);
	assert_int_equal(test_workload_landlock.run((double[]){ 0, 0 }), 0);
	assert_int_equal(test_workload_thloop.run((double[]){ 0.01, 3 }), 0);
	assert_int_equal(test_workload_datasym.run((double[]){ 0.01, 0 }), 0);
	assert_int_equal(test_workload_inlineloop.run((double[]){ 0.01, 0 }), 0);
}

static void usual_numbers_are_allowed_ones(void **state)
{
	(void)state;
	for (const struct test_workload *const *w = test_workloads; *w; w++)
		for (int i = 0; i < WORKLOAD_NUMBERS_MAX; i++) {
			const struct test_workload_number *n = &(*w)->numbers[i];

			assert_true(n->usual >= n->least && n->usual <= n->most);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workloads_are_found_by_name),
		cmocka_unit_test(workloads_do_what_they_are_asked_for),
		cmocka_unit_test(usual_numbers_are_allowed_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
