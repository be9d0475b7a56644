/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/arch.h"
#include "arch/operand.h"
#include "base/cleanup.h"

#define NONE INT64_MIN

static const struct {
	const char *bytes;
	size_t n;
	enum code_flow_kind kind;
	int64_t target;
} instructions[] = {
	{ "\xe8\x3c\x01\x00\x00", 5, FLOW_CALL, 0x141 },
	{ "\xe9\x77\xff\xff\xff", 5, FLOW_JUMP, -0x84 },
	{ "\xeb\x1a", 2, FLOW_JUMP, 0x1c },
	{ "\x74\x4c", 2, FLOW_JUMP, 0x4e },
	{ "\x0f\x84\x00\x01\x00\x00", 6, FLOW_JUMP, 0x106 },
	{ "\xf2\xe9\x00\x00\x00\x00", 6, FLOW_JUMP, 6 },
	{ "\xe2\xfe", 2, FLOW_JUMP, 0 },
	{ "\xc7\xf8\x02\x00\x00\x00", 6, FLOW_JUMP, 8 },
	{ "\xff\xe0", 2, FLOW_JUMP, NONE },
	{ "\x3e\xff\xe0", 3, FLOW_JUMP, NONE },
	{ "\xff\x15\xef\x2e\x00\x00", 6, FLOW_CALL, NONE },
	{ "\xff\xc0", 2, FLOW_ON, NONE }, /* inc */
	{ "\xc3", 1, FLOW_RETURN, NONE },
	{ "\xf3\xc3", 2, FLOW_RETURN, NONE },
	{ "\x48\x0f\x07", 3, FLOW_RETURN, NONE },
	{ "\x48\x89\xe5", 3, FLOW_ON, NONE },
	{ "\x0f\x05", 2, FLOW_ON, NONE },
};

static void bytes_lead_where_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(instructions); i++) {
		struct code_flow f = arch_x86_64.code_flow((const uint8_t *)instructions[i].bytes,
							   instructions[i].n, 0x1000);

		assert_int_equal(f.kind, instructions[i].kind);
		assert_int_equal(f.has_target, instructions[i].target != NONE);
		if (f.has_target)
			assert_int_equal(f.target, 0x1000 + instructions[i].target);
	}
}

static void a_condition_may_go_on(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t n;
		bool may;
	} all[] = {
		{ "\x74\x4c", 2, true },
		{ "\x0f\x84\x00\x01\x00\x00", 6, true },
		{ "\xe2\xfe", 2, true },
		{ "\xc7\xf8\x02\x00\x00\x00", 6, true },
		{ "\xeb\x1a", 2, false },
		{ "\xe9\x77\xff\xff\xff", 5, false },
		{ "\xe8\x3c\x01\x00\x00", 5, false },
		{ "\xc3", 1, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		assert_int_equal(arch_x86_64.code_flow((const uint8_t *)all[i].bytes, all[i].n, 0)
					 .is_conditional,
				 all[i].may);
}

static void what_is_cut_off_leads_nowhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(instructions); i++)
		for (size_t n = 0; n < instructions[i].n; n++)
			arch_x86_64.code_flow((const uint8_t *)instructions[i].bytes, n, 0);
	assert_false(arch_x86_64.code_flow((const uint8_t *)"\xe8\x01", 2, 0).has_target);
}

static bool ends_call(const char *code, size_t n)
{
	return arch_x86_64.convention->ends_call((const uint8_t *)code, n);
}

static void calls_are_seen_from_behind(void **state)
{
	(void)state;
	assert_true(ends_call("\x90\x90\x90\xe8\x01\x02\x03\x04", 8)); /* call rel32 */
	assert_true(ends_call("\xff\xd0", 2));                         /* call *%rax */
	assert_true(ends_call("\x41\xff\xd4", 3));                     /* call *%r12 */
	assert_true(ends_call("\xff\x53\x18", 3));                     /* call *0x18(%rbx) */
	assert_true(ends_call("\xff\x15\x01\x02\x03\x04", 6));         /* call *x(%rip) */
	assert_true(ends_call("\xff\x14\xc1", 3));                     /* call *(%rcx,%rax,8) */
	assert_true(ends_call("\xff\x14\xc5\x01\x02\x03\x04", 7));     /* call *x(,%rax,8) */
	assert_true(ends_call("\xff\x94\xc1\x01\x02\x03\x04", 7));     /* call *x(%rcx,%rax,8) */
}

static void other_instructions_are_no_calls(void **state)
{
	(void)state;
	assert_false(ends_call("\x90\x90\x90\x90\x90\x90\x90\x90", 8));
	assert_false(ends_call("\xff\xe0", 2));                 /* jmp *%rax */
	assert_false(ends_call("\xff\x25\x01\x02\x03\x04", 6)); /* jmp *x(%rip) */
	assert_false(ends_call("\xff\x53", 2));
	assert_false(ends_call("", 0));
}

static void a_stub_jumps_through_a_word_of_the_got(void **state)
{
	static const uint8_t plain[] = { 0xff, 0x25, 0x10, 0, 0, 0 };
	static const uint8_t protected[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff,
					     0x25, 0xf0, 0xff, 0xff, 0xff };
	uint64_t word;

	(void)state;
	assert_true(arch_x86_64.plt->jump_word(plain, sizeof(plain), 0x1000, &word));
	assert_int_equal(word, 0x1016);
	assert_true(arch_x86_64.plt->jump_word(protected, sizeof(protected), 0x1000, &word));
	assert_int_equal(word, 0x0ffb);
	for (size_t n = 0; n < sizeof(plain); n++)
		assert_false(arch_x86_64.plt->jump_word(plain, n, 0x1000, &word));
	assert_false(arch_x86_64.plt->jump_word(protected, 6, 0x1000, &word));
}

static struct arch_operand operand(const char *s)
{
	struct arch_operand o;

	assert_true(arch_x86_64.sdt_operand(s, strlen(s), &o));
	return o;
}

static void operands_are_att_syntax(void **state)
{
	struct arch_operand o;

	(void)state;
	o = operand("$-3");
	assert_int_equal(o.kind, OPERAND_CONSTANT);
	assert_int_equal(o.number, -3);
	o = operand("%r9b");
	assert_int_equal(o.kind, OPERAND_REGISTER);
	assert_string_equal(o.reg, "r9");
	o = operand("-8(%rbp)");
	assert_int_equal(o.kind, OPERAND_MEMORY);
	assert_int_equal(o.number, -8);
	assert_string_equal(o.reg, "bp");
	o = operand("4+g(%rip)");
	assert_int_equal(o.kind, OPERAND_VARIABLE);
	assert_int_equal(o.number, 4);
	assert_int_equal(o.name_length, 1);
	assert_int_equal(*o.name, 'g');
	assert_false(arch_x86_64.sdt_operand("(%rax,%rbx,8)", 13, &o));
	assert_false(arch_x86_64.sdt_operand("%xmm0", 5, &o));
}

static void thirty_two_bits_have_the_same_operands(void **state)
{
	(void)state;
	assert_ptr_equal(arch_i386.sdt_operand, arch_x86_64.sdt_operand);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_lead_where_they_say),
		cmocka_unit_test(a_condition_may_go_on),
		cmocka_unit_test(what_is_cut_off_leads_nowhere),
		cmocka_unit_test(calls_are_seen_from_behind),
		cmocka_unit_test(other_instructions_are_no_calls),
		cmocka_unit_test(a_stub_jumps_through_a_word_of_the_got),
		cmocka_unit_test(operands_are_att_syntax),
		cmocka_unit_test(thirty_two_bits_have_the_same_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
