/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/probe-registers.h"

static void dwarf_numbers_have_the_kernels_names(void **state)
{
	(void)state;
	assert_string_equal(arch_probe_register(MACHINE_AARCH64, 0), "%x0");
	assert_string_equal(arch_probe_register(MACHINE_AARCH64, 30), "%lr");
	assert_string_equal(arch_probe_register(MACHINE_AARCH64, 31), "%sp");
	assert_string_equal(arch_probe_register(MACHINE_X86_64, 1), "%dx");
	assert_string_equal(arch_probe_register(MACHINE_X86_64, 5), "%di");
	assert_string_equal(arch_probe_register(MACHINE_X86_64, 15), "%r15");
	/* Vector registers are not saved. */
	assert_null(arch_probe_register(MACHINE_AARCH64, 64));
	assert_null(arch_probe_register(MACHINE_X86_64, 17));
	assert_null(arch_probe_register(MACHINE_UNKNOWN, 0));
}

static void parameters_are_passed_as_the_machine_does(void **state)
{
	unsigned reg = 99;

	(void)state;
	assert_true(arch_argument_register(MACHINE_X86_64, 2, &reg));
	assert_int_equal(reg, 1);
	assert_false(arch_argument_register(MACHINE_X86_64, 6, &reg));
	assert_true(arch_argument_register(MACHINE_AARCH64, 7, &reg));
	assert_int_equal(reg, 7);
	assert_false(arch_argument_register(MACHINE_AARCH64, 8, &reg));
	assert_false(arch_argument_register(MACHINE_UNKNOWN, 0, &reg));
}

static void registers_that_the_kernel_knows_are_known(void **state)
{
	const char *meant;

	(void)state;
	assert_true(arch_probe_knows(MACHINE_X86_64, "ax", &meant));
	assert_true(arch_probe_knows(MACHINE_X86_64, "flags", &meant));
	assert_true(arch_probe_knows(MACHINE_X86_64, "r15", &meant));
	assert_true(arch_probe_knows(MACHINE_AARCH64, "x30", &meant));
	assert_true(arch_probe_knows(MACHINE_AARCH64, "pstate", &meant));
	assert_false(arch_probe_knows(MACHINE_AARCH64, "ax", &meant));
	assert_null(meant);
	assert_true(arch_probe_knows(MACHINE_UNKNOWN, "whatever", &meant));
}

static void the_assemblers_names_lead_to_the_kernels(void **state)
{
	static const struct {
		enum machine_type machine;
		const char *typed, *meant;
	} cases[] = {
		{ MACHINE_X86_64, "rax", "ax" },  { MACHINE_X86_64, "eax", "ax" },
		{ MACHINE_X86_64, "RAX", "ax" },  { MACHINE_X86_64, "r8d", "r8" },
		{ MACHINE_X86_64, "rsp", "sp" },  { MACHINE_AARCH64, "w0", "x0" },
		{ MACHINE_AARCH64, "X3", "x3" },  { MACHINE_X86_64, "xmm0", NULL },
		{ MACHINE_AARCH64, "v31", NULL }, { MACHINE_AARCH64, "x31", NULL },
		{ MACHINE_X86_64, "", NULL },     { MACHINE_X86_64, "much_too_long", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *meant;

		assert_false(arch_probe_knows(cases[i].machine, cases[i].typed, &meant));
		if (cases[i].meant)
			assert_string_equal(meant, cases[i].meant);
		else
			assert_null(meant);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dwarf_numbers_have_the_kernels_names),
		cmocka_unit_test(parameters_are_passed_as_the_machine_does),
		cmocka_unit_test(registers_that_the_kernel_knows_are_known),
		cmocka_unit_test(the_assemblers_names_lead_to_the_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
