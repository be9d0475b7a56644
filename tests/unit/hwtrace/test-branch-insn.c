/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "hwtrace/branch-insn.h"
#include "hwtrace/decoder.h"

static void branches_have_a_length_and_a_kind(void **state)
{
	(void)state;
	static const struct {
		uint8_t bytes[10];
		size_t length;
		uint32_t flags;
	} cases[] = {
		{ { 0x75, 0x05 }, 2, AUX_FLAG_BRANCH | AUX_FLAG_CONDITIONAL },
		{ { 0x0f, 0x84, 1, 2, 3, 4 }, 6, AUX_FLAG_BRANCH | AUX_FLAG_CONDITIONAL },
		{ { 0xe8, 1, 2, 3, 4 }, 5, AUX_FLAG_BRANCH | AUX_FLAG_CALL },
		{ { 0xeb, 0xfe }, 2, AUX_FLAG_BRANCH },
		{ { 0xc3 }, 1, AUX_FLAG_BRANCH | AUX_FLAG_RETURN },
		{ { 0xf3, 0xc3 }, 2, AUX_FLAG_BRANCH | AUX_FLAG_RETURN },
		{ { 0xff, 0xd0 }, 2, AUX_FLAG_BRANCH | AUX_FLAG_CALL },
		{ { 0x41, 0xff, 0x64, 0x24, 8 }, 5, AUX_FLAG_BRANCH },
		{ { 0xff, 0x24, 0xc5, 1, 2, 3, 4 }, 7, AUX_FLAG_BRANCH },
		{ { 0xff, 0x25, 1, 2, 3, 4 }, 6, AUX_FLAG_BRANCH },
		{ { 0x0f, 0x05 }, 2, AUX_FLAG_BRANCH | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET },
		{ { 0x48, 0x0f, 0x07 },
		  3,
		  AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET },
		{ { 0x48, 0xcf }, 2, AUX_FLAG_BRANCH | AUX_FLAG_RETURN | AUX_FLAG_INTERRUPT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t flags = 0;

		assert_int_equal(branch_insn(cases[i].bytes, 10, &flags), cases[i].length);
		assert_int_equal(flags, cases[i].flags);
		/* A truncated instruction is not a branch. */
		assert_int_equal(branch_insn(cases[i].bytes, cases[i].length - 1, &flags), 0);
	}
}

static void other_instructions_are_none(void **state)
{
	(void)state;
	static const uint8_t others[][4] = {
		{ 0x90 }, { 0x48, 0x89, 0xe5 }, { 0xff, 0xc0 }, { 0x0f, 0x1f }
	};
	uint32_t flags = 7;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_int_equal(branch_insn(others[i], 4, &flags), 0);
	assert_int_equal(flags, 7);
	assert_int_equal(branch_insn(others[0], 0, &flags), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_have_a_length_and_a_kind),
		cmocka_unit_test(other_instructions_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
