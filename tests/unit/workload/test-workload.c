/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "workload/workload.h"

static void workloads_are_found_by_name(void **state)
{
	(void)state;
	assert_ptr_equal(test_workload_find("noploop"), &test_workload_noploop);
	assert_ptr_equal(test_workload_find("thloop"), &test_workload_thloop);
	assert_null(test_workload_find("loop"));
	assert_null(test_workload_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workloads_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
