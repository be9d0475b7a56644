/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/text.h"
#include "symbol/buildid/sdt-probes.h"

static bool find_variable(void *arg, const char *name, uint64_t *ret)
{
	(void)arg;
	*ret = 0x4010;
	return !strcmp(name, "g") || !strcmp(name, "sg.0");
}

static void assert_reads(uint16_t machine, const char *arguments, const char *expected)
{
	const struct sdt_place place = { .arch = arch_of_elf(machine), .variable = find_variable };
	struct text out = TEXT_EMPTY;
	unsigned number = 1;

	while (sdt_argument_next(&arguments, &place, number, &out))
		number++;
	assert_string_equal(out.chars, expected);
	text_done(&out);
}

static void registers_and_memory_of_aarch64(void **state)
{
	(void)state;
	assert_reads(EM_AARCH64, "8@x0", " arg1=%x0:u64");
	assert_reads(EM_AARCH64, "-4@x1 8@[sp, 16]", " arg1=%x1:s32 arg2=+16(%sp):u64");
	assert_reads(EM_AARCH64, "4@[sp, -12] 8@[x1]", " arg1=-12(%sp):u32 arg2=+0(%x1):u64");
	assert_reads(EM_AARCH64, "4@w3 1@x30 8@sp", " arg1=%x3:u32 arg2=%x30:u8 arg3=%sp:u64");
	assert_reads(EM_AARCH64, "-4@5 8@-7", " arg1=\\5:s32 arg2=\\-7:u64");
}

static void registers_and_memory_of_x86(void **state)
{
	(void)state;
	assert_reads(EM_X86_64, "8@%rax -4@%edi 1@%r9b", " arg1=%ax:u64 arg2=%di:s32 arg3=%r9:u8");
	assert_reads(EM_X86_64, "4@8(%rbp) 8@-16(%rsp) 8@(%rcx)",
		     " arg1=+8(%bp):u32 arg2=-16(%sp):u64 arg3=+0(%cx):u64");
	assert_reads(EM_X86_64, "-4@$3", " arg1=\\3:s32");
}

static void variables_are_fetched_from_the_programs_file(void **state)
{
	(void)state;
	assert_reads(EM_X86_64, "-4@g(%rip) 8@g+8(%rip) 8@4+g(%rip) 1@g-1(%rip) 2@sg.0(%rip)",
		     " arg1=@+0x4010:s32 arg2=@+0x4018:u64 arg3=@+0x4014:u64 arg4=@+0x400f:u8"
		     " arg5=@+0x4010:u16");
	assert_reads(EM_X86_64,
		     "4@other(%rip) 4@(%rip) 4@g+(%rip) 4@g+x(%rip) 4@8-g(%rip) 4@8(%rip)", "");
}

static void what_the_kernel_cannot_fetch_is_left_out(void **state)
{
	(void)state;
	assert_reads(EM_AARCH64, "8@x0 8@foo 8@x1", " arg1=%x0:u64 arg3=%x1:u64");
	assert_reads(EM_AARCH64, "8@[x1, x2] 8@x31 8@[sp 8@x2", "");
	assert_reads(EM_AARCH64, "16@x0 8@x1", " arg2=%x1:u64");
	assert_reads(EM_X86_64, "8@(%rax,%rbx,8) 8@var(%rip) 8@%xmm0 8@%rax", " arg4=%ax:u64");
	assert_reads(EM_S390, "8@%r2", "");
}

static void a_size_is_not_needed(void **state)
{
	(void)state;
	assert_reads(EM_AARCH64, "x0 @x1", " arg1=%x0 arg2=%x1");
	assert_reads(EM_AARCH64, "4f@x0", " arg1=%x0:u32");
}

static void nothing_comes_of_nothing(void **state)
{
	(void)state;
	assert_reads(EM_AARCH64, "", "");
	assert_reads(EM_AARCH64, "   ", "");
	assert_reads(EM_AARCH64, "@ -@ 8@ 8@[ 8@] -", "");
	assert_reads(EM_X86_64, "8@$ 8@% 8@( 8@() 8@(%) 8@)", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_and_memory_of_aarch64),
		cmocka_unit_test(registers_and_memory_of_x86),
		cmocka_unit_test(variables_are_fetched_from_the_programs_file),
		cmocka_unit_test(what_the_kernel_cannot_fetch_is_left_out),
		cmocka_unit_test(a_size_is_not_needed),
		cmocka_unit_test(nothing_comes_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
