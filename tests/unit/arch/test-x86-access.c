/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/access.h"
#include "base/cleanup.h"

#define AT 0x401000

/* DWARF's numbers. */
enum {
	RAX,
	RDX,
	RCX,
	RBX,
	RSI,
	RDI,
	RBP,
	RSP,
	R8,
	R9,
	R10,
	R11,
	R12
};

static struct code_access read_bytes(const char *hex)
{
	uint8_t bytes[16];
	size_t n = 0;
	struct code_access a;

	for (const char *p = hex; *p; p += 2) {
		unsigned v = 0;

		for (int i = 0; i < 2; i++)
			v = v * 16 + (unsigned)(p[i] <= '9' ? p[i] - '0' : p[i] - 'a' + 10);
		bytes[n++] = (uint8_t)v;
	}
	assert_true(x86_access_read(bytes, n, AT, &a));
	assert_int_equal(a.length, n);
	return a;
}

static void loads_and_stores_name_their_registers(void **state)
{
	struct code_access a = read_bytes("488b5710"); /* mov 0x10(%rdi),%rdx */

	(void)state;
	assert_int_equal(a.action, ACCESS_LOAD);
	assert_true(a.has_memory);
	assert_int_equal(a.to, RDX);
	assert_int_equal(a.size, 8);
	assert_int_equal(a.memory.base, RDI);
	assert_int_equal(a.memory.index, ACCESS_NONE);
	assert_int_equal(a.memory.offset, 0x10);

	a = read_bytes("4489448b08"); /* mov %r8d,0x8(%rbx,%rcx,4) */
	assert_int_equal(a.action, ACCESS_STORE);
	assert_int_equal(a.from, R8);
	assert_int_equal(a.size, 4);
	assert_int_equal(a.memory.base, RBX);
	assert_int_equal(a.memory.index, RCX);
	assert_int_equal(a.memory.scale, 4);

	a = read_bytes("0fb646ff"); /* movzbl -0x1(%rsi),%eax */
	assert_int_equal(a.action, ACCESS_LOAD);
	assert_int_equal(a.size, 1);
	assert_int_equal(a.memory.offset, -1);
}

static void addresses_are_relative_to_the_next_instruction(void **state)
{
	struct code_access a = read_bytes("488b0510000000"); /* mov 0x10(%rip),%rax */

	(void)state;
	assert_true(a.memory.is_absolute);
	assert_int_equal(a.memory.offset, AT + 7 + 0x10);
	a = read_bytes("c7050800000001000000"); /* movl $1,0x8(%rip) */
	assert_int_equal(a.memory.offset, AT + 10 + 8);
	a = read_bytes("64488b042528000000"); /* mov %fs:0x28,%rax */
	assert_int_equal(a.memory.segment, ACCESS_FS);
	assert_true(a.memory.is_absolute);
	assert_int_equal(a.memory.offset, 0x28);
}

static void what_moves_a_pointer_is_told(void **state)
{
	struct code_access a = read_bytes("4889fb"); /* mov %rdi,%rbx */

	(void)state;
	assert_int_equal(a.action, ACCESS_COPY);
	assert_int_equal(a.to, RBX);
	assert_int_equal(a.from, RDI);
	assert_false(a.has_memory);
	a = read_bytes("488d4708"); /* lea 0x8(%rdi),%rax */
	assert_int_equal(a.action, ACCESS_ADDRESS);
	assert_false(a.has_memory);
	assert_int_equal(a.memory.base, RDI);
	a = read_bytes("4883c310"); /* add $0x10,%rbx */
	assert_int_equal(a.action, ACCESS_ADDRESS);
	assert_int_equal(a.to, RBX);
	assert_int_equal(a.memory.offset, 0x10);
	a = read_bytes("4881ec50010000"); /* sub $0x150,%rsp */
	assert_int_equal(a.to, RSP);
	assert_int_equal(a.memory.offset, -0x150);
	a = read_bytes("4801d0"); /* add %rdx,%rax */
	assert_int_equal(a.action, ACCESS_ADD);
	assert_int_equal(a.to, RAX);
	assert_int_equal(a.other, RDX);
	a = read_bytes("490f44c4"); /* cmove %r12,%rax */
	assert_int_equal(a.action, ACCESS_CHOOSE);
	assert_int_equal(a.from, R12);
	assert_int_equal(a.other, RAX);
}

static void memory_is_pushed_and_popped(void **state)
{
	struct code_access a = read_bytes("ff7708"); /* push 0x8(%rdi) */

	(void)state;
	assert_true(a.has_memory);
	assert_int_equal(a.memory.base, RDI);
	assert_int_equal(a.memory.offset, 8);
	assert_int_equal(a.stack_step, -8);
	a = read_bytes("8f4708"); /* pop 0x8(%rdi) */
	assert_int_equal(a.memory.base, RDI);
	assert_int_equal(a.stack_step, 8);
	a = read_bytes("48034708"); /* add 0x8(%rdi),%rax */
	assert_int_equal(a.action, ACCESS_ADD);
	assert_int_equal(a.other, ACCESS_NONE);
	assert_true(a.has_memory);
}

static void numbers_of_indexes_are_told(void **state)
{
	static const struct {
		const char *bytes;
		uint8_t to, from;
		uint64_t scale;
	} rows[] = {
		{ "48c1e004", RAX, RAX, 16 }, /* shl $4,%rax */
		{ "48d1e1", RCX, RCX, 2 },    /* shl %rcx */
		{ "486bca30", RCX, RDX, 48 }, /* imul $48,%rdx,%rcx */
		{ "4863ca", RCX, RDX, 1 },    /* movslq %edx,%rcx */
	};
	struct code_access a;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		a = read_bytes(rows[i].bytes);
		assert_int_equal(a.action, ACCESS_SCALE);
		assert_int_equal(a.to, rows[i].to);
		assert_int_equal(a.from, rows[i].from);
		assert_int_equal(a.scale, rows[i].scale);
	}
	a = read_bytes("4829d1"); /* sub %rdx,%rcx */
	assert_int_equal(a.action, ACCESS_SUBTRACT);
	assert_false(a.is_narrow);
	assert_true(read_bytes("01d1").is_narrow); /* add %edx,%ecx */
	a = read_bytes("31c0");                    /* xor %eax,%eax */
	assert_int_equal(a.action, ACCESS_ADDRESS);
	assert_int_equal(a.memory.offset, 0);
	assert_int_equal(read_bytes("48d3e2").written, 1u << RDX);   /* shl %cl,%rdx */
	assert_int_equal(read_bytes("48c1ea03").written, 1u << RDX); /* shr $3,%rdx */
	assert_int_equal(read_bytes("486b0a30").written, 1u << RCX); /* imul $48,(%rdx),%rcx */
}

static void the_stack_pointer_moves(void **state)
{
	struct code_access a = read_bytes("4154"); /* push %r12 */

	(void)state;
	assert_true(a.is_stack);
	assert_int_equal(a.from, R12);
	assert_int_equal(a.before, -8);
	a = read_bytes("5d"); /* pop %rbp */
	assert_int_equal(a.to, RBP);
	assert_int_equal(a.after, 8);
	a = read_bytes("c3");
	assert_true(a.is_stack);
	assert_int_equal(a.flow, ACCESS_END);
}

static void jumps_and_calls_have_targets(void **state)
{
	struct code_access a = read_bytes("e8fbffffff"); /* call itself */

	(void)state;
	assert_int_equal(a.flow, ACCESS_CALL);
	assert_int_equal(a.target, AT);
	a = read_bytes("7405"); /* je */
	assert_int_equal(a.flow, ACCESS_BRANCH);
	assert_int_equal(a.target, AT + 7);
	a = read_bytes("0f8500010000"); /* jne */
	assert_int_equal(a.target, AT + 6 + 0x100);
	a = read_bytes("ffe0"); /* jmp *%rax */
	assert_int_equal(a.flow, ACCESS_JUMP);
	assert_false(a.has_target);
	a = read_bytes("ff5768"); /* call *0x68(%rdi) */
	assert_int_equal(a.flow, ACCESS_CALL);
	assert_true(a.has_memory);
	assert_false(a.is_stack);
}

static void lengths_follow_prefixes_and_immediates(void **state)
{
	static const char *const rows[] = {
		"48b88877665544332211", /* movabs */
		"66c740081122",         /* movw $0x2211,0x8(%rax) */
		"c5f877",               /* vzeroupper */
		"c5fd6f4720",           /* vmovdqa 0x20(%rdi),%ymm0 */
		"c4e3f9160801",         /* vpextrq */
		"62f17c48284702",       /* vmovaps 0x80(%rdi),%zmm0 */
		"660f3a0fc108",         /* palignr */
		"660f1f840000000000",   /* nopw */
		"f30f1efa",             /* endbr64 */
		"48f7c101000000",       /* test $1,%rcx */
		"48f7f1",               /* div %rcx */
		"f30f6f0f",             /* movdqu (%rdi),%xmm1 */
		"48a18877665544332211", /* movabs 0x..,%rax */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		read_bytes(rows[i]);
	assert_int_equal(read_bytes("62f17c48284702").memory.offset, 0x80);
	assert_false(read_bytes("660f1f840000000000").has_memory);
	assert_true(read_bytes("c5fd6f4720").has_memory);
	assert_int_equal(read_bytes("0f114710").action, ACCESS_STORE); /* movups %xmm0,0x10(%rdi) */
}

static void what_is_overwritten_is_told(void **state)
{
	(void)state;
	assert_int_equal(read_bytes("48f7f1").written, 1u << RAX | 1u << RDX);
	assert_int_equal(read_bytes("31c8").written, 1u << RAX); /* xor %ecx,%eax */
	assert_int_equal(read_bytes("4839c8").written, 0);       /* cmp */
	assert_int_equal(read_bytes("0f05").written, 1u << RAX | 1u << RCX | 1u << R11);
}

static void an_instruction_that_is_cut_off_is_none(void **state)
{
	static const uint8_t cut[] = { 0x48, 0x8b, 0x05, 0x10 };
	struct code_access a = { .length = 77 };

	(void)state;
	for (size_t n = 0; n <= sizeof(cut); n++)
		assert_false(x86_access_read(cut, n, AT, &a));
	assert_int_equal(a.length, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_and_stores_name_their_registers),
		cmocka_unit_test(addresses_are_relative_to_the_next_instruction),
		cmocka_unit_test(what_moves_a_pointer_is_told),
		cmocka_unit_test(memory_is_pushed_and_popped),
		cmocka_unit_test(numbers_of_indexes_are_told),
		cmocka_unit_test(the_stack_pointer_moves),
		cmocka_unit_test(jumps_and_calls_have_targets),
		cmocka_unit_test(lengths_follow_prefixes_and_immediates),
		cmocka_unit_test(what_is_overwritten_is_told),
		cmocka_unit_test(an_instruction_that_is_cut_off_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
