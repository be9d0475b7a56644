/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fake-tree.h"
#include "kernel/cpuid.h"

static void assert_cpuid(const char *root, unsigned cpu, const char *wanted)
{
	_cleanup_(freep) char *got = NULL;

	unsetenv("PERF_CPUID");
	assert_int_equal(cpuid_read(root, cpu, &got), 0);
	assert_string_equal(got, wanted);
}

static void arm_is_named_by_its_part_number(void **state)
{
	fake_file(*state, "sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
		  "0x00000000414fd0c1\n");
	fake_file(*state, "sys/devices/system/cpu/cpu4/regs/identification/midr_el1",
		  "0x00000000411fd400\n");
	assert_cpuid(*state, 0, "0x00000000410fd0c0");
	assert_cpuid(*state, 4, "0x00000000410fd400");
}

static void x86_is_named_by_vendor_family_model_and_stepping(void **state)
{
	fake_file(*state, "proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 142\n"
		  "model name\t: Intel(R)\nstepping\t: 10\n\nprocessor\t: 1\nmodel\t\t: 1\n");
	assert_cpuid(*state, 1, "GenuineIntel-6-8E-A");
}

static void a_machine_that_does_not_tell_is_an_error(void **state)
{
	char *got = (char *)1;

	unsetenv("PERF_CPUID");
	assert_int_equal(cpuid_read(*state, 0, &got), -ENOENT);
	fake_file(*state, "proc/cpuinfo", "vendor_id\t: X\ncpu family\t: many\nmodel\t: 1\n");
	assert_int_equal(cpuid_read(*state, 0, &got), -ENOENT);
	assert_ptr_equal(got, (char *)1);
}

static void the_environment_overrides_the_machine(void **state)
{
	_cleanup_(freep) char *got = NULL;

	setenv("PERF_CPUID", "AuthenticAMD-25-1-0", 1);
	assert_int_equal(cpuid_read(*state, 0, &got), 0);
	assert_string_equal(got, "AuthenticAMD-25-1-0");
	unsetenv("PERF_CPUID");
}

static void headers_write_x86_in_decimal(void **state)
{
	_cleanup_(freep) char *id = NULL, *model = NULL;

	fake_file(*state, "proc/cpuinfo",
		  "vendor_id\t: AuthenticAMD\ncpu family\t: 15\nmodel\t\t: 107\n"
		  "model name\t: QEMU TCG CPU version 2.5+\nstepping\t: 1\n");
	setenv("PERF_CPUID", "x", 1); /* chooses the vendor's tables, not the machine */
	assert_int_equal(cpuid_read_plain(*state, 0, &id), 0);
	unsetenv("PERF_CPUID");
	assert_string_equal(id, "AuthenticAMD,15,107,1");
	assert_int_equal(cpuid_read_model(*state, &model), 0);
	assert_string_equal(model, "QEMU TCG CPU version 2.5+");
}

static void arm_has_no_model_name(void **state)
{
	char *model;

	fake_file(*state, "proc/cpuinfo", "processor\t: 0\nCPU part\t: 0xd40\n");
	assert_int_equal(cpuid_read_model(*state, &model), -ENOENT);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(arm_is_named_by_its_part_number),
		tree_test(x86_is_named_by_vendor_family_model_and_stepping),
		tree_test(a_machine_that_does_not_tell_is_an_error),
		tree_test(the_environment_overrides_the_machine),
		tree_test(headers_write_x86_in_decimal),
		tree_test(arm_has_no_model_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
