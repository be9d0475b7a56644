/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <sys/utsname.h>

#include "arch/arch.h"

static void a_machine_is_known_by_what_uname_says(void **state)
{
	(void)state;
	assert_ptr_equal(arch_find("x86_64"), &arch_x86_64);
	assert_ptr_equal(arch_find("i686"), &arch_x86_64);
	assert_ptr_equal(arch_find("aarch64"), &arch_aarch64);
}

static void other_machines_are_unknown(void **state)
{
	(void)state;
	assert_null(arch_find("s390x"));
	assert_null(arch_find(""));
	assert_null(arch_find(NULL));
	assert_null(arch_of_elf(EM_NONE));
	assert_null(arch_of_elf(EM_SPARC));
}

static void a_file_is_of_the_machine_that_it_says(void **state)
{
	(void)state;
	for (const struct arch *const *a = arch_all; *a; a++)
		assert_ptr_equal(arch_of_elf((*a)->elf_machine), *a);
	assert_ptr_equal(arch_of_elf(EM_386), &arch_i386);
	assert_ptr_equal(arch_of_elf(EM_RISCV), &arch_riscv);
}

static void every_machine_has_stubs(void **state)
{
	(void)state;
	for (const struct arch *const *a = arch_all; *a; a++)
		assert_true((*a)->plt->header >= (*a)->plt->entry);
}

static void the_host_is_what_its_uname_says(void **state)
{
	(void)state;
	struct utsname u;

	assert_int_equal(uname(&u), 0);
	assert_ptr_equal(arch_host(), arch_find(u.machine));
}

static void registers_tell_the_machine_that_has_them(void **state)
{
	(void)state;
	assert_ptr_equal(arch_of_registers(0xff0fff), &arch_x86_64);
	assert_ptr_equal(arch_of_registers(1 << 30), &arch_aarch64);
	assert_ptr_equal(arch_of_registers(0x4001ffffffff), &arch_aarch64);
	assert_null(arch_of_registers(1ULL << 63));
}

static void exceptions_of_the_kernel_are_known_by_name(void **state)
{
	(void)state;
	assert_true(arch_is_exception_entry("asm_exc_page_fault"));
	assert_true(arch_is_exception_entry("el1h_64_sync"));
	assert_false(arch_is_exception_entry("schedule"));
	assert_false(arch_is_exception_entry(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_is_known_by_what_uname_says),
		cmocka_unit_test(other_machines_are_unknown),
		cmocka_unit_test(a_file_is_of_the_machine_that_it_says),
		cmocka_unit_test(every_machine_has_stubs),
		cmocka_unit_test(the_host_is_what_its_uname_says),
		cmocka_unit_test(registers_tell_the_machine_that_has_them),
		cmocka_unit_test(exceptions_of_the_kernel_are_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
