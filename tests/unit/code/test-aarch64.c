/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "code/target.h"

static void assert_styled(const char *text, const char *wanted)
{
	struct instruction in = { .length = 4, .lead = "" };
	char whole[2 * INSTRUCTION_TEXT_MAX];

	snprintf(in.text, sizeof(in.text), "%s", text);
	disasm_aarch64.style(&in, NULL, 0, SYNTAX_ATT);
	snprintf(whole, sizeof(whole), "%s%s", in.text, in.comment);
	assert_string_equal(whole, wanted);
}

static void numbers_are_written_as_objdump_writes_them(void **state)
{
	(void)state;
	assert_styled("mov\tw2, #0", "mov\tw2, #0x0                   \t// #0");
	assert_styled("mov\tw0, #-1", "mov\tw0, #0xffffffff            \t// #-1");
	assert_styled("mov\tx0, #-2", "mov\tx0, #0xfffffffffffffffe    \t// #-2");
	assert_styled("add\tw2, w2, #1", "add\tw2, w2, #0x1");
	assert_styled("movk\tx0, #4660, lsl #16", "movk\tx0, #0x1234, lsl #16");
	assert_styled("movi\tv0.2d, #0000000000000000", "movi\tv0.2d, #0x0");
	assert_styled("svc\t#0", "svc\t#0x0");
	assert_styled("fmov\td0, #1.00000000", "fmov\td0, #1.000000000000000000e+00");
}

static void distances_and_shifts_stay_decimal(void **state)
{
	(void)state;
	assert_styled("add\tw3, w4, w3, lsl #4", "add\tw3, w4, w3, lsl #4");
	assert_styled("ldr\tx2, [x0, #344]", "ldr\tx2, [x0, #344]");
	assert_styled("ubfiz\tx2, x1, #1, #28", "ubfiz\tx2, x1, #1, #28");
}

static void conditions_have_all_their_names(void **state)
{
	(void)state;
	assert_styled("csel\tw0, w0, w1, eq", "csel\tw0, w0, w1, eq\t// eq = none");
	assert_styled("cset\tw0, hs", "cset\tw0, cs\t// cs = hs, nlast");
	assert_styled("ccmp\tw0, #2, #0, ne", "ccmp\tw0, #0x2, #0x0, ne\t// ne = any");
	assert_styled("cset\tw0, gt", "cset\tw0, gt");
}

static void a_target_is_left_to_others(void **state)
{
	struct instruction in = { .flow = { .kind = FLOW_JUMP, .has_target = true } };

	(void)state;
	strcpy(in.text, "b.lo\t#-44");
	disasm_aarch64.style(&in, NULL, 0, SYNTAX_ATT);
	assert_string_equal(in.text, "b.cc\t");
	assert_string_equal(in.comment, "  // b.lo, b.ul, b.last");
	strcpy(in.text, "tbz\tw2, #3, #24");
	in.comment[0] = '\0';
	disasm_aarch64.style(&in, NULL, 0, SYNTAX_ATT);
	assert_string_equal(in.text, "tbz\tw2, #3, ");
	strcpy(in.text, "bl\t0x400");
	disasm_aarch64.style(&in, NULL, 0, SYNTAX_ATT);
	assert_string_equal(in.text, "bl\t");
}

static void lists_registers_and_widening_look_like_objdumps(void **state)
{
	(void)state;
	assert_styled("ld1b\t{ z0.b }, p0/z, [x1]", "ld1b\t{z0.b}, p0/z, [x1]");
	assert_styled("mrs\tx1, TPIDR_EL0", "mrs\tx1, tpidr_el0");
	assert_styled("ushll\tv1.4s, v0.4h, #0", "uxtl\tv1.4s, v0.4h");
	assert_styled("sshll2\tv1.4s, v0.8h, #0", "sxtl2\tv1.4s, v0.8h");
}

static void any_text_stays_within_its_array(void **state)
{
	struct instruction in = { .length = 4 };

	(void)state;
	memset(in.text, '#', sizeof(in.text) - 1);
	memcpy(in.text, "mov\tw0, #1", 10);
	disasm_aarch64.style(&in, NULL, 0, SYNTAX_ATT);
	assert_true(strlen(in.text) < sizeof(in.text));
	assert_styled("", "");
	assert_styled("mov", "mov");
	assert_styled("#", "#");
	assert_styled("ushll", "ushll");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_written_as_objdump_writes_them),
		cmocka_unit_test(distances_and_shifts_stay_decimal),
		cmocka_unit_test(conditions_have_all_their_names),
		cmocka_unit_test(a_target_is_left_to_others),
		cmocka_unit_test(lists_registers_and_widening_look_like_objdumps),
		cmocka_unit_test(any_text_stays_within_its_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
