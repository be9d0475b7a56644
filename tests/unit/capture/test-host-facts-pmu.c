/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "capture/host-facts-internal.h"
#include "datafile/features.h"
#include "kernel/fake-tree.h"

#define PMU "sys/bus/event_source/devices/"

static void every_pmu_has_a_number(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, PMU "software/type", "1\n");
	fake_file(*state, PMU "broken/type", "many\n");
	fake_file(*state, PMU "none/", "");
	host_facts_pmus(*state, &f);
	assert_int_equal(f.pmu_mappings.n, 1);
	assert_int_equal(f.pmu_mappings.items[0].type, 1);
	assert_string_equal(f.pmu_mappings.items[0].name, "software");
	assert_int_equal(f.pmu_caps.n, 0);
	assert_true(features_have(&f, FEATURE_PMU_CAPS));
	assert_false(features_have(&f, FEATURE_CPU_PMU_CAPS));
	assert_false(features_have(&f, FEATURE_HYBRID_TOPOLOGY));
}

static void what_cpu_can_do_has_a_feature_of_its_own(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, PMU "cpu/type", "4\n");
	fake_file(*state, PMU "cpu/caps/max_precise", "3\n");
	fake_file(*state, PMU "armv8_pmuv3/type", "8\n");
	fake_file(*state, PMU "armv8_pmuv3/caps/slots", "0x00000000\n");
	host_facts_pmus(*state, &f);
	assert_true(features_have(&f, FEATURE_CPU_PMU_CAPS));
	assert_null(f.cpu_pmu_caps.pmu_name);
	assert_int_equal(f.cpu_pmu_caps.caps.n, 1);
	assert_string_equal(f.cpu_pmu_caps.caps.items[0].name, "max_precise");
	assert_string_equal(f.cpu_pmu_caps.caps.items[0].value, "3");
	assert_int_equal(f.pmu_caps.n, 1);
	assert_string_equal(f.pmu_caps.items[0].pmu_name, "armv8_pmuv3");
	assert_string_equal(f.pmu_caps.items[0].caps.items[0].value, "0x00000000");
}

static void two_kinds_of_cores_are_a_hybrid(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };

	fake_file(*state, PMU "cpu_core/cpus", "0-3\n");
	fake_file(*state, PMU "cpu_atom/cpus", "4-7\n");
	fake_file(*state, PMU "uncore/cpumask", "0\n");
	host_facts_pmus(*state, &f);
	assert_true(features_have(&f, FEATURE_HYBRID_TOPOLOGY));
	assert_int_equal(f.hybrid.n, 2);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(every_pmu_has_a_number),
		tree_test(what_cpu_can_do_has_a_feature_of_its_own),
		tree_test(two_kinds_of_cores_are_a_hybrid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
