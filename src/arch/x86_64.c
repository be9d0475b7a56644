/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/operand.h"
#include "arch/x86-insn.h"
#include "arch/x86-walk.h"
#include "arch/x86.h"
#include "base/cleanup.h"

static const char *const names[] = { "x86_64", "x86", "i386", "i486", "i586", "i686", NULL };

/* DWARF's numbers, from the psABI of x86-64, figure 3.36. */
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
	R12,
	R13,
	R14,
	R15,
	RIP,
};

#define NONE ARCH_NO_REGISTER

/* clang-format off */
/* A vector register has the numbers of two 64-bit registers. */
#define VECTOR(name) { name, NULL, NONE }, { name, NULL, NONE }

/* The registers in the order of the kernel's numbers. */
static const struct arch_register registers[] = {
	{ "AX", "%ax", RAX }, { "BX", "%bx", RBX }, { "CX", "%cx", RCX }, { "DX", "%dx", RDX },
	{ "SI", "%si", RSI }, { "DI", "%di", RDI }, { "BP", "%bp", RBP }, { "SP", "%sp", RSP },
	{ "IP", "%ip", NONE }, { "FLAGS", "%flags", NONE }, { "CS", "%cs", NONE }, { "SS", "%ss", NONE },
	{ "DS", NULL, NONE }, { "ES", NULL, NONE }, { "FS", NULL, NONE }, { "GS", NULL, NONE },
	{ "R8", "%r8", R8 }, { "R9", "%r9", R9 }, { "R10", "%r10", R10 }, { "R11", "%r11", R11 },
	{ "R12", "%r12", R12 }, { "R13", "%r13", R13 }, { "R14", "%r14", R14 }, { "R15", "%r15", R15 },
	[32] =
	VECTOR("XMM0"), VECTOR("XMM1"), VECTOR("XMM2"), VECTOR("XMM3"),
	VECTOR("XMM4"), VECTOR("XMM5"), VECTOR("XMM6"), VECTOR("XMM7"),
	VECTOR("XMM8"), VECTOR("XMM9"), VECTOR("XMM10"), VECTOR("XMM11"),
	VECTOR("XMM12"), VECTOR("XMM13"), VECTOR("XMM14"), VECTOR("XMM15"),
};
/* clang-format on */

/* clang-format off */
/* Offsets in struct pt_regs, in the order of the registers above. */
#define NO ARCH_NO_TRAP

static const uint16_t trap_offsets[] = {
	80, 40, 88, 96,		/* ax, bx, cx, dx */
	104, 112, 32, 152,	/* si, di, bp, sp */
	128, 144, 136, 160,	/* ip, flags, cs, ss */
	NO, NO, NO, NO,
	72, 64, 56, 48,		/* r8 to r11 */
	24, 16, 8, 0,		/* r12 to r15 */
};
/* clang-format on */

/* 64-bit kernels do not sample ds, es, fs and gs (bits 12 to 15). */
static const struct arch_registers sampling = {
	.items = registers,
	.n = ARRAY_SIZE(registers),
	.pc = 8,
	.sp = 7,
	.lr = NONE,
	.sampled = 0xff0fff,
	.trap = trap_offsets,
	.n_trap = ARRAY_SIZE(trap_offsets),
};

/* mov $__NR_rt_sigreturn, %rax; syscall */
static const uint8_t sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 };

/*
 * struct rt_sigframe, without the return address at its start. struct ucontext is uc_flags, uc_link
 * and uc_stack (40 bytes), then the registers in the order of struct sigcontext_64.
 */
static const struct arch_saved saved_by_signal[] = {
	{ R8, 40 },   { R9, 48 },   { R10, 56 },  { R11, 64 },  { R12, 72 },  { R13, 80 },
	{ R14, 88 },  { R15, 96 },  { RDI, 104 }, { RSI, 112 }, { RBP, 120 }, { RBX, 128 },
	{ RDX, 136 }, { RAX, 144 }, { RCX, 152 }, { RSP, 160 }, { RIP, 168 },
};

/* Instructions are matched backwards, so a few other ones are also taken for a call. */
static bool x86_64_ends_call(const uint8_t *code, size_t n)
{
	struct x86_insn r;

	if (n >= 5 && code[n - 5] == 0xe8)
		return true;
	for (size_t size = 2; size <= 7 && size <= n; size++) {
		const uint8_t *c = code + n - size;

		if (c[0] == 0xff && x86_insn_read(c, size, &r) && r.digit == 2 && r.at == size)
			return true;
	}
	return false;
}

/* The mode is in the code segment: its privilege level, and __USER_CS for 64 bits. */
static const struct arch_trap trap = {
	.pc = 128,
	.sp = 152,
	.fp = 32,
	.mode = 136,
	.user_mask = 3,
	.user_value = 3,
	.native_mask = 0xffff,
	.native_value = 0x33,
};

static const struct arch_convention convention = {
	.sp = RSP,
	.fp = RBP,
	.pc = RIP,
	.lr = NONE,
	.result_address = RDI,
	.record = { .cfa = 16, .ra = -8, .fp = -16 },
	.signal = { sigreturn, sizeof(sigreturn), saved_by_signal, ARRAY_SIZE(saved_by_signal) },
	.ends_call = x86_64_ends_call,
	.frame_by_walk = x86_frame_by_walk,
	.trap = &trap,
};

/* The kernel's name of a register, then the assembler's names by width. */
static const char *const spellings[][5] = {
	{ "ax", "rax", "eax", "ax", "al" },
	{ "bx", "rbx", "ebx", "bx", "bl" },
	{ "cx", "rcx", "ecx", "cx", "cl" },
	{ "dx", "rdx", "edx", "dx", "dl" },
	{ "si", "rsi", "esi", "si", "sil" },
	{ "di", "rdi", "edi", "di", "dil" },
	{ "bp", "rbp", "ebp", "bp", "bpl" },
	{ "sp", "rsp", "esp", "sp", "spl" },
	{ "r8", "r8", "r8d", "r8w", "r8b" },
	{ "r9", "r9", "r9d", "r9w", "r9b" },
	{ "r10", "r10", "r10d", "r10w", "r10b" },
	{ "r11", "r11", "r11d", "r11w", "r11b" },
	{ "r12", "r12", "r12d", "r12w", "r12b" },
	{ "r13", "r13", "r13d", "r13w", "r13b" },
	{ "r14", "r14", "r14d", "r14w", "r14b" },
	{ "r15", "r15", "r15d", "r15w", "r15b" },
	{ "ip", "rip", "eip" },
	{ "flags", "rflags", "eflags" },
};

static bool x86_64_find_register(const char *name, size_t n, char ret[8])
{
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		for (size_t j = 1; j < ARRAY_SIZE(spellings[i]) && spellings[i][j]; j++)
			if (strlen(spellings[i][j]) == n && !memcmp(spellings[i][j], name, n)) {
				strcpy(ret, spellings[i][0]);
				return true;
			}
	return false;
}

static const char *const more_probe_names[] = { "orig_ax", NULL };
static const uint8_t arguments[] = { RDI, RSI, RDX, RCX, R8, R9 };

/* When a function begins, its return address is on top of the stack. */
static const struct arch_probes probes = {
	.more_names = more_probe_names,
	.summary = "%ax %bx %cx %dx %si %di %bp %sp, %r8 to %r15, %ip, %flags, %cs and %ss",
	.arguments = arguments,
	.n_arguments = ARRAY_SIZE(arguments),
	.first_on_stack = 8,
	.find_register = x86_64_find_register,
};

/* Parses "name", "name+8", "name-8" or "8+name", up to @end. */
static bool split_variable(const char *s, const char *end, struct arch_operand *ret)
{
	const char *sign = s + strcspn(s, "+-");

	*ret = (struct arch_operand){ .kind = OPERAND_VARIABLE, .name = s };
	if (sign >= end) {
		ret->name_length = (size_t)(end - s);
		return true;
	}
	if (!isdigit((unsigned char)*s)) {
		ret->name_length = (size_t)(sign - s);
		return operand_number(sign, end, &ret->number);
	}
	ret->name = sign + 1;
	ret->name_length = (size_t)(end - ret->name);
	return *sign == '+' && operand_number(s, sign, &ret->number);
}

/* The kernel's probes cannot use scaled indexes. */
bool x86_sdt_operand(const char *s, size_t n, struct arch_operand *ret)
{
	const char *end = s + n, *open = memchr(s, '(', n);

	*ret = (struct arch_operand){ .kind = OPERAND_MEMORY };
	if (open && !strcmp(open, "(%rip)"))
		return split_variable(s, open, ret);
	if (*s == '$') {
		ret->kind = OPERAND_CONSTANT;
		return operand_number(s + 1, end, &ret->number);
	}
	if (*s == '%') {
		ret->kind = OPERAND_REGISTER;
		return x86_64_find_register(s + 1, n - 1, ret->reg);
	}
	return open && end[-1] == ')' && open[1] == '%' &&
	       (open == s || operand_number(s, open, &ret->number)) &&
	       x86_64_find_register(open + 2, (size_t)(end - 1 - (open + 2)), ret->reg);
}

/* Matches "jmp *disp32(%rip)", perhaps after endbr64 and bnd. */
static bool jump_word(const uint8_t *code, size_t n, uint64_t addr, uint64_t *ret)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t at = 0;
	struct x86_insn r;

	if (n >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (!x86_insn_read(code + at, n - at, &r) || r.map != X86_MAP_ONE || r.opcode != 0xff ||
	    r.digit != 4 || !r.is_rip)
		return false;
	*ret = addr + at + r.at + (uint64_t)r.memory.offset;
	return true;
}

static const struct arch_plt plt = {
	.header = 16,
	.entry = 16,
	.jump_slot = R_X86_64_JUMP_SLOT,
	.irelative = R_X86_64_IRELATIVE,
	.glob_dat = R_X86_64_GLOB_DAT,
	.absolute = R_X86_64_64,
	.relative = R_X86_64_RELATIVE,
	.thread = R_X86_64_TPOFF64,
	.jump_word = jump_word,
};

static const struct code_flow flows[] = {
	[X86_NO_BRANCH] = { .kind = FLOW_ON },
	[X86_JUMP] = { .kind = FLOW_JUMP },
	[X86_CONDITIONAL] = { .kind = FLOW_JUMP, .is_conditional = true },
	[X86_CALL] = { .kind = FLOW_CALL },
	[X86_RETURN] = { .kind = FLOW_RETURN },
	[X86_INTERRUPT] = { .kind = FLOW_ON },
	[X86_INTERRUPT_RETURN] = { .kind = FLOW_RETURN },
	[X86_SYSCALL] = { .kind = FLOW_ON },
	[X86_SYSCALL_RETURN] = { .kind = FLOW_RETURN },
	[X86_TRANSACTION] = { .kind = FLOW_JUMP, .is_conditional = true },
};

static struct code_flow x86_64_code_flow(const uint8_t *bytes, size_t n, uint64_t addr)
{
	struct code_flow f;
	struct x86_insn r;
	bool is_relative;

	if (!x86_insn_read(bytes, n, &r))
		return flows[X86_NO_BRANCH];
	f = flows[x86_insn_branch(&r, &is_relative)];
	f.has_target = is_relative;
	if (is_relative)
		f.target = addr + r.at + (uint64_t)r.imm;
	return f;
}

const struct arch arch_x86_64 = {
	.names = names,
	.triple = "x86_64-linux-gnu",
	.elf_machine = EM_X86_64,
	.has_split_weights = true,
	.exception_prefix = "asm_",
	.registers = &sampling,
	.convention = &convention,
	.probes = &probes,
	.plt = &plt,
	.code_flow = x86_64_code_flow,
	.sdt_operand = x86_sdt_operand,
	.kvm_isa = kvm_isa_of_vendor,
};
