/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/machine-fact.h"

#define SYSTEM "sys/devices/system/cpu/"

static void fake_cpu(const char *root, unsigned cpu, const char *file, const char *text)
{
	_cleanup_(freep) char *path = xasprintf(SYSTEM "cpu%u/topology/%s", cpu, file);

	fake_file(root, path, text);
}

static uint64_t fact(const char *root, const char *name)
{
	uint64_t value = UINT64_MAX;

	assert_int_equal(machine_fact_read(root, machine_fact_find(name), &value), 0);
	return value;
}

static void assert_unknown(const char *root, const char *name)
{
	uint64_t value = 7;

	assert_int_equal(machine_fact_read(root, machine_fact_find(name), &value), -ENOENT);
	assert_int_equal(value, 7);
}

/* Makes two sockets of one core with two threads each, and a CPU that is not online. */
static void fake_server(const char *root)
{
	fake_file(root, SYSTEM "present", "0-4\n");
	fake_file(root, SYSTEM "online", "0-3\n");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		fake_cpu(root, cpu, "physical_package_id", cpu % 2 ? "1\n" : "0\n");
		fake_cpu(root, cpu, "die_id", "0\n");
		fake_cpu(root, cpu, "core_id", "0\n");
	}
}

static void cpus_cores_dies_and_packages_are_counted(void **state)
{
	fake_server(*state);
	assert_int_equal(fact(*state, "num_cpus"), 5);
	assert_int_equal(fact(*state, "num_cpus_online"), 4);
	assert_int_equal(fact(*state, "num_cores"), 2);
	assert_int_equal(fact(*state, "num_dies"), 2);
	assert_int_equal(fact(*state, "num_packages"), 2);
}

static void threads_are_seen_where_the_kernel_does_not_tell_of_them(void **state)
{
	fake_server(*state);
	assert_int_equal(fact(*state, "smt_on"), 1);
	fake_file(*state, SYSTEM "smt/active", "0\n");
	assert_int_equal(fact(*state, "smt_on"), 0);
}

static void dies_that_the_kernel_does_not_tell_of_are_none(void **state)
{
	fake_file(*state, SYSTEM "online", "0\n");
	fake_cpu(*state, 0, "core_id", "0\n");
	assert_int_equal(fact(*state, "num_dies"), 0);
	assert_int_equal(fact(*state, "num_packages"), 1);
}

static void slots_are_those_of_the_pmu_that_tells_them(void **state)
{
	assert_unknown(*state, "slots");
	fake_file(*state, "sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots", "0x00000008\n");
	fake_file(*state, "sys/bus/event_source/devices/software/type", "1\n");
	assert_int_equal(fact(*state, "slots"), 8);
}

static void memory_that_persists_has_a_table(void **state)
{
	assert_int_equal(fact(*state, "has_pmem"), 0);
	fake_file(*state, "sys/firmware/acpi/tables/NFIT", "x");
	assert_int_equal(fact(*state, "has_pmem"), 1);
}

static void the_rate_of_the_time_stamp_counter_is_in_the_name(void **state)
{
	assert_unknown(*state, "system_tsc_freq");
	fake_file(*state, "proc/cpuinfo", "model name\t: AMD EPYC 7R13 Processor\n");
	assert_unknown(*state, "system_tsc_freq");
	fake_file(*state, "proc/cpuinfo", "model name\t: Xeon @ a very long text, 2 GHz\n");
	assert_unknown(*state, "system_tsc_freq");
	fake_file(*state, "proc/cpuinfo", "model name\t: Xeon @ -1GHz\n");
	assert_unknown(*state, "system_tsc_freq");
	fake_file(*state, "proc/cpuinfo", "model name\t: Xeon(R) CPU E5-2680 v4 @ 2.40GHz\n");
	assert_int_equal(fact(*state, "system_tsc_freq"), 2400000000);
}

static void the_revision_of_an_arm_core_is_variant_and_revision(void **state)
{
	assert_unknown(*state, "revision");
	fake_file(*state, SYSTEM "cpu0/regs/identification/midr_el1", "0x00000000411fd402\n");
	assert_int_equal(fact(*state, "revision"), 0x12);
	fake_file(*state, SYSTEM "cpu0/regs/identification/midr_el1", "none\n");
	assert_unknown(*state, "revision");
}

static void a_machine_that_tells_nothing_has_no_facts(void **state)
{
	assert_unknown(*state, "num_cpus");
	assert_unknown(*state, "num_cpus_online");
	assert_unknown(*state, "num_cores");
	assert_unknown(*state, "smt_on");
	assert_int_equal(machine_fact_find("nonsense"), MACHINE_FACTS);
	assert_unknown(*state, "nonsense");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)
	const struct CMUnitTest tests[] = {
		TEST(cpus_cores_dies_and_packages_are_counted),
		TEST(threads_are_seen_where_the_kernel_does_not_tell_of_them),
		TEST(dies_that_the_kernel_does_not_tell_of_are_none),
		TEST(slots_are_those_of_the_pmu_that_tells_them),
		TEST(memory_that_persists_has_a_table),
		TEST(the_rate_of_the_time_stamp_counter_is_in_the_name),
		TEST(the_revision_of_an_arm_core_is_variant_and_revision),
		TEST(a_machine_that_tells_nothing_has_no_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
