/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "decoded.h"

static void instructions_of_both_machines_are_decoded(void **state)
{
	(void)state;
	assert_decodes(&decoder_capstone, &disasm_aarch64, "\xc0\x03\x5f\xd6", 4, "ret");
	assert_decodes(&decoder_capstone, &disasm_aarch64, "\xe3\x03\x00\x2a", 4, "mov");
	assert_decodes(&decoder_capstone, &disasm_x86_64, "\x48\x89\xe5", 3, "%rsp");
	assert_decodes(&decoder_capstone, &disasm_x86_64, "\xc3", 1, "ret");
}

static void what_is_no_instruction_has_no_length(void **state)
{
	(void)state;
	assert_refuses(&decoder_capstone, &disasm_aarch64, "\xff\xff\xff\xff", 4);
	assert_refuses(&decoder_capstone, &disasm_aarch64, "\xc0\x03", 2);
	assert_refuses(&decoder_capstone, &disasm_x86_64, "\x06", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_of_both_machines_are_decoded),
		cmocka_unit_test(what_is_no_instruction_has_no_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
