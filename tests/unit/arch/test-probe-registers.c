/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "arch/probe-registers.h"

static void dwarf_numbers_have_the_kernels_names(void **state)
{
	(void)state;
	assert_string_equal(arch_probe_register(&arch_aarch64, 0), "%x0");
	assert_string_equal(arch_probe_register(&arch_aarch64, 30), "%lr");
	assert_string_equal(arch_probe_register(&arch_aarch64, 31), "%sp");
	assert_string_equal(arch_probe_register(&arch_x86_64, 1), "%dx");
	assert_string_equal(arch_probe_register(&arch_x86_64, 5), "%di");
	assert_string_equal(arch_probe_register(&arch_x86_64, 15), "%r15");
	/* Vector registers are not saved. */
	assert_null(arch_probe_register(&arch_aarch64, 64));
	assert_null(arch_probe_register(&arch_x86_64, 17));
	assert_null(arch_probe_register(NULL, 0));
}

static void parameters_are_passed_as_the_machine_does(void **state)
{
	unsigned reg = 99;

	(void)state;
	assert_true(arch_argument_register(&arch_x86_64, 2, &reg));
	assert_int_equal(reg, 1);
	assert_false(arch_argument_register(&arch_x86_64, 6, &reg));
	assert_true(arch_argument_register(&arch_aarch64, 7, &reg));
	assert_int_equal(reg, 7);
	assert_false(arch_argument_register(&arch_aarch64, 8, &reg));
	assert_false(arch_argument_register(NULL, 0, &reg));
}

static void registers_that_the_kernel_knows_are_known(void **state)
{
	char meant[8];

	(void)state;
	assert_true(arch_probe_knows(&arch_x86_64, "ax", meant));
	assert_true(arch_probe_knows(&arch_x86_64, "flags", meant));
	assert_true(arch_probe_knows(&arch_x86_64, "r15", meant));
	assert_true(arch_probe_knows(&arch_aarch64, "x30", meant));
	assert_true(arch_probe_knows(&arch_aarch64, "pstate", meant));
	assert_false(arch_probe_knows(&arch_aarch64, "ax", meant));
	assert_string_equal(meant, "");
	assert_true(arch_probe_knows(NULL, "whatever", meant));
}

static void the_assemblers_names_lead_to_the_kernels(void **state)
{
	static const struct {
		const struct arch *arch;
		const char *typed, *meant;
	} cases[] = {
		{ &arch_x86_64, "rax", "ax" }, { &arch_x86_64, "eax", "ax" },
		{ &arch_x86_64, "RAX", "ax" }, { &arch_x86_64, "r8d", "r8" },
		{ &arch_x86_64, "rsp", "sp" }, { &arch_aarch64, "w0", "x0" },
		{ &arch_aarch64, "X3", "x3" }, { &arch_x86_64, "xmm0", "" },
		{ &arch_aarch64, "v31", "" },  { &arch_aarch64, "x31", "" },
		{ &arch_x86_64, "", "" },      { &arch_x86_64, "much_too_long", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char meant[8];

		assert_false(arch_probe_knows(cases[i].arch, cases[i].typed, meant));
		assert_string_equal(meant, cases[i].meant);
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
