/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>

#include "arch/syscall/syscall.h"

static void each_abi_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(syscall_abi_name(SYSCALL_ABI_I386), "i386");
	assert_null(syscall_abi_name(SYSCALL_ABI_NONE));
	assert_null(syscall_abi_name(SYSCALL_N_ABIS));
}

static void a_machine_has_an_abi_for_each_word_size(void **state)
{
	(void)state;
	assert_int_equal(syscall_abi_of(EM_X86_64, false), SYSCALL_ABI_X86_64);
	assert_int_equal(syscall_abi_of(EM_X86_64, true), SYSCALL_ABI_I386);
	assert_int_equal(syscall_abi_of(EM_AARCH64, true), SYSCALL_ABI_ARM);
	assert_int_equal(syscall_abi_of(EM_RISCV, false), SYSCALL_ABI_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_abi_has_a_name),
		cmocka_unit_test(a_machine_has_an_abi_for_each_word_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
