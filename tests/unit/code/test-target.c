/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "code/target.h"

static void a_target_is_found_by_its_machine(void **state)
{
	(void)state;
	for (const struct disasm_target *const *t = disasm_targets; *t; t++)
		assert_ptr_equal(disasm_target_find((*t)->arch), *t);
	assert_ptr_equal(disasm_target_find(&arch_x86_64), &disasm_x86_64);
}

static void other_machines_have_none(void **state)
{
	(void)state;
	assert_null(disasm_target_find(&arch_s390));
	assert_null(disasm_target_find(NULL));
}

/* The libraries and the disassembler need every part of a target. */
static void a_target_is_complete(void **state)
{
	(void)state;
	for (const struct disasm_target *const *t = disasm_targets; *t; t++) {
		assert_non_null((*t)->arch->code_flow);
		assert_non_null((*t)->arch->triple);
		assert_non_null((*t)->llvm.name);
		assert_non_null((*t)->style);
		assert_non_null((*t)->style_unknown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_is_found_by_its_machine),
		cmocka_unit_test(other_machines_have_none),
		cmocka_unit_test(a_target_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
