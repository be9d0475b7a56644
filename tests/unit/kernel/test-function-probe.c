/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "fake-tree.h"
#include "kernel/function-probe.h"
#include "wire/attr.h"

static void a_probe_is_an_event_of_its_pmu(void **state)
{
	static const char function[] = "do_nanosleep";
	struct diag diag = { 0 };
	struct attr a;

	fake_file(*state, "kprobe/type", "6\n");
	assert_int_equal(function_probe_attr(*state, function, false, &a, &diag), 0);
	assert_int_equal(a.type, 6);
	assert_int_equal(a.config, 0);
	assert_ptr_equal((const char *)(uintptr_t)a.config1, function);
	assert_int_equal(function_probe_attr(*state, function, true, &a, &diag), 0);
	assert_int_equal(a.config, 1);
}

static void assert_refused(const char *devices)
{
	struct diag diag = { 0 };
	struct attr a;

	assert_int_equal(function_probe_attr(devices, "f", false, &a, &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "CONFIG_KPROBE_EVENTS"));
	diag_done(&diag);
}

static void a_kernel_without_the_pmu_is_told(void **state)
{
	assert_refused(*state);
	fake_file(*state, "kprobe/type", "many\n");
	assert_refused(*state);
	fake_file(*state, "kprobe/type", "4294967296\n");
	assert_refused(*state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_probe_is_an_event_of_its_pmu, fake_tree_open,
						fake_tree_close),
		cmocka_unit_test_setup_teardown(a_kernel_without_the_pmu_is_told, fake_tree_open,
						fake_tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
