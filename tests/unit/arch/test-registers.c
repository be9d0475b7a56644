/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "arch/registers.h"

static void x86_registers_have_the_numbers_of_its_kernel(void **state)
{
	(void)state;
	assert_string_equal(arch_register_name(&arch_x86_64, 0), "AX");
	assert_string_equal(arch_register_name(&arch_x86_64, 7), "SP");
	assert_string_equal(arch_register_name(&arch_x86_64, 8), "IP");
	assert_string_equal(arch_register_name(&arch_x86_64, 23), "R15");
	assert_string_equal(arch_register_name(&arch_x86_64, 32), "XMM0");
	assert_string_equal(arch_register_name(&arch_x86_64, 63), "XMM15");
}

static void aarch64_registers_have_the_numbers_of_its_kernel(void **state)
{
	(void)state;
	assert_string_equal(arch_register_name(&arch_aarch64, 29), "x29");
	assert_string_equal(arch_register_name(&arch_aarch64, 30), "lr");
	assert_string_equal(arch_register_name(&arch_aarch64, 31), "sp");
	assert_string_equal(arch_register_name(&arch_aarch64, 32), "pc");
	assert_string_equal(arch_register_name(&arch_aarch64, 46), "vg");
}

static void a_number_that_is_no_register_has_no_name(void **state)
{
	(void)state;
	assert_null(arch_register_name(&arch_x86_64, 24));
	assert_null(arch_register_name(&arch_x86_64, 64));
	assert_null(arch_register_name(&arch_x86_64, UINT32_MAX));
	assert_null(arch_register_name(&arch_aarch64, 33));
	assert_null(arch_register_name(NULL, 0));
}

static void dwarf_has_numbers_of_its_own(void **state)
{
	unsigned n = 99;

	(void)state;
	assert_true(arch_register_dwarf(&arch_x86_64, 1, &n)); /* rbx */
	assert_int_equal(n, 3);
	assert_true(arch_register_dwarf(&arch_x86_64, 7, &n)); /* rsp */
	assert_int_equal(n, 7);
	assert_true(arch_register_dwarf(&arch_x86_64, 23, &n)); /* r15 */
	assert_int_equal(n, 15);
	assert_true(arch_register_dwarf(&arch_aarch64, 31, &n));
	assert_int_equal(n, 31);
	assert_false(arch_register_dwarf(&arch_x86_64, 9, &n)); /* flags */
	assert_false(arch_register_dwarf(&arch_aarch64, 46, &n));
	assert_false(arch_register_dwarf(NULL, 0, &n));
	assert_int_equal(n, 31);
}

static void the_program_counter_is_none_of_them(void **state)
{
	unsigned n;

	(void)state;
	assert_int_equal(arch_register_pc(&arch_x86_64), 8);
	assert_int_equal(arch_register_pc(&arch_aarch64), 32);
	assert_int_equal(arch_register_pc(NULL), UINT32_MAX);
	assert_false(arch_register_dwarf(&arch_x86_64, 8, &n));
	assert_false(arch_register_dwarf(&arch_aarch64, 32, &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_registers_have_the_numbers_of_its_kernel),
		cmocka_unit_test(aarch64_registers_have_the_numbers_of_its_kernel),
		cmocka_unit_test(a_number_that_is_no_register_has_no_name),
		cmocka_unit_test(dwarf_has_numbers_of_its_own),
		cmocka_unit_test(the_program_counter_is_none_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
