/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "code/target.h"

static struct instruction styled(const char *text, size_t length)
{
	struct instruction in = { .length = length, .lead = "" };

	snprintf(in.text, sizeof(in.text), "%s", text);
	return in;
}

static void assert_att(const char *text, const char *bytes, size_t n, const char *wanted)
{
	struct instruction in = styled(text, n);

	disasm_x86_64.style(&in, (const uint8_t *)bytes, 0x1000, SYNTAX_ATT);
	assert_string_equal(in.text, wanted);
}

static void suffixes_that_registers_repeat_are_left_away(void **state)
{
	(void)state;
	assert_att("movq\t%rsp, %rbp", "\x48\x89\xe5", 3, "mov    %rsp,%rbp");
	assert_att("addl\t$1, %ecx", "\x83\xc1\x01", 3, "add    $1,%ecx");
	assert_att("addq\t$1, -8(%rbp)", "\x48\x83\x45\xf8\x01", 5, "addq   $1,-8(%rbp)");
	assert_att("movl\t%fs:40, %eax", "\x64\x8b\x04\x25", 8, "mov    %fs:40,%eax");
	assert_att("movl\t$1, %fs:40", "\x64\xc7\x04\x25", 8, "movl   $1,%fs:40");
	assert_att("cmovel\t%eax, %ebx", "\x0f\x44\xd8", 3, "cmove  %eax,%ebx");
	assert_att("retq", "\xc3", 1, "ret");
	assert_att("callq\t*%rax", "\xff\xd0", 2, "call   *%rax");
	assert_att("movq\t%rax, %xmm0", "\x66\x48\x0f\x6e\xc0", 5, "movq   %rax,%xmm0");
}

static void operands_are_written_out(void **state)
{
	(void)state;
	assert_att("movq\t$-0x1, 8(%rsp)", "\x48\xc7", 9, "movq   $0xffffffffffffffff,8(%rsp)");
	assert_att("cmpb\t$-0x1, (%rax)", "\x80\x38\xff", 3, "cmpb   $0xff,(%rax)");
	assert_att("testl\t$0x8000, (%rbp)", "\xf7\x45\x00", 7, "testl  $0x8000,0x0(%rbp)");
	assert_att("leaq\t(,%rax,8), %r13", "\x4c\x8d", 8, "lea    0x0(,%rax,8),%r13");
	assert_att("rep\tstosl\t%eax, %es:(%rdi)", "\xf3\xab", 2, "rep stos %eax,%es:(%rdi)");
}

static void paddings_look_like_objdumps(void **state)
{
	(void)state;
	assert_att("nopl\t(%rax,%rax)", "\x0f\x1f\x84\x00\x00\x00\x00\x00", 8,
		   "nopl   0x0(%rax,%rax,1)");
	assert_att("nopl\t(%rax)", "\x0f\x1f\x00", 3, "nopl   (%rax)");
	assert_att("nopw\t%cs:(%rax,%rax)", "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00", 10,
		   "cs nopw 0x0(%rax,%rax,1)");
	assert_att("nop", "\x66\x90", 2, "xchg   %ax,%ax");
	assert_att("nop", "\x90", 1, "nop");
}

static void what_lies_beside_the_code_is_told_behind_it(void **state)
{
	struct instruction in = styled("movq\t0x1073(%rip), %rdx", 7);

	(void)state;
	disasm_x86_64.style(&in, (const uint8_t *)"\x48\x8b\x15", 0x400156, SYNTAX_ATT);
	assert_string_equal(in.text, "mov    0x1073(%rip),%rdx");
	assert_string_equal(in.lead, "        # ");
	assert_true(in.flow.has_target);
	assert_int_equal(in.flow.target, 0x4011d0);
	in = styled("lea\trdi, [rip - 0x7b]", 7);
	disasm_x86_64.style(&in, NULL, 0x10c4, SYNTAX_INTEL);
	assert_string_equal(in.text, "lea    rdi,[rip-0x7b]");
	assert_int_equal(in.flow.target, 0x1050);
}

static void a_branch_is_left_without_its_distance(void **state)
{
	struct instruction in = styled("jne\t-0x35", 2);

	(void)state;
	in.flow = (struct code_flow){ .kind = FLOW_JUMP, .has_target = true, .target = 0x11b0 };
	disasm_x86_64.style(&in, (const uint8_t *)"\x75\xc9", 0x11e5, SYNTAX_ATT);
	assert_string_equal(in.text, "jne    ");
	assert_string_equal(in.lead, "");
	assert_int_equal(in.flow.target, 0x11b0);
}

static void intels_syntax_has_its_capitals(void **state)
{
	struct instruction in = styled("mov\tqword ptr [rbp - 0x18], rdi", 4);

	(void)state;
	disasm_x86_64.style(&in, NULL, 0, SYNTAX_INTEL);
	assert_string_equal(in.text, "mov    QWORD PTR [rbp-0x18],rdi");
}

static void any_text_stays_within_its_array(void **state)
{
	struct instruction in = { .length = 1 };

	(void)state;
	memset(in.text, ',', sizeof(in.text) - 1);
	disasm_x86_64.style(&in, (const uint8_t *)"\x90", 0, SYNTAX_ATT);
	assert_true(strlen(in.text) < sizeof(in.text));
	memset(in.text, '(', sizeof(in.text) - 1);
	in.text[3] = '\t';
	disasm_x86_64.style(&in, (const uint8_t *)"\x90", 0, SYNTAX_ATT);
	assert_true(strlen(in.text) < sizeof(in.text));
	assert_att("", "\x90", 1, "");
	assert_att("\t", "\x90", 1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suffixes_that_registers_repeat_are_left_away),
		cmocka_unit_test(operands_are_written_out),
		cmocka_unit_test(paddings_look_like_objdumps),
		cmocka_unit_test(what_lies_beside_the_code_is_told_behind_it),
		cmocka_unit_test(a_branch_is_left_without_its_distance),
		cmocka_unit_test(intels_syntax_has_its_capitals),
		cmocka_unit_test(any_text_stays_within_its_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
