/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/aarch64-effect.h"
#include "arch/aarch64-frame.h"
#include "arch/aarch64-walk.h"
#include "arch/arch.h"
#include "arch/code-frame.h"
#include "arch/operand.h"
#include "base/cleanup.h"

static const char *const names[] = { "aarch64", "arm64", NULL };

#define FP AARCH64_FP
#define LR AARCH64_LR
#define SP AARCH64_SP
#define PC 32 /* the kernel's number; used for the pc of a signal frame, as DWARF has none */
#define VG 46 /* the length of vector registers */

#define HWCAP_SVE (1UL << 22) /* from asm/hwcap.h */

/* clang-format off */
/* DWARF uses the kernel's numbers. */
#define X(n) { "x" #n, "%x" #n, (n) }

static const struct arch_register registers[] = {
	X(0),  X(1),  X(2),  X(3),  X(4),  X(5),  X(6),  X(7),  X(8),  X(9),
	X(10), X(11), X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19),
	X(20), X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29),
	[LR] = { "lr", "%lr", LR },
	[SP] = { "sp", "%sp", SP },
	[PC] = { "pc", "%pc", ARCH_NO_REGISTER },
	[VG] = { "vg", NULL, ARCH_NO_REGISTER },
};
/* clang-format on */

/* struct pt_regs: x0 to x30, sp, pc. */
#define T(n) 8 * (n), 8 * (n) + 8, 8 * (n) + 16

static const uint16_t trap_offsets[] = {
	T(0), T(3), T(6), T(9), T(12), T(15), T(18), T(21), T(24), T(27), T(30),
};

static const struct arch_registers sampling = {
	.items = registers,
	.n = ARRAY_SIZE(registers),
	.pc = PC,
	.sp = SP,
	.lr = LR,
	.sampled = (1ULL << (PC + 1)) - 1,
	.optional = 1ULL << VG,
	.hwcap = HWCAP_SVE,
	.trap = trap_offsets,
	.n_trap = ARRAY_SIZE(trap_offsets),
};

/* mov x8, #__NR_rt_sigreturn; svc #0 */
static const uint8_t sigreturn[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };

/* clang-format off */
/*
 * struct rt_sigframe: siginfo_t (128 bytes), struct ucontext up to uc_mcontext (176), the address
 * of a fault (8), then x0 to x30, sp and pc.
 */
#define SAVED(n) { (n), 128 + 176 + 8 + 8 * (n) }
#define SAVED_4(n) SAVED(n), SAVED((n) + 1), SAVED((n) + 2), SAVED((n) + 3)

static const struct arch_saved saved_by_signal[] = {
	SAVED_4(0),  SAVED_4(4),  SAVED_4(8),  SAVED_4(12),
	SAVED_4(16), SAVED_4(20), SAVED_4(24), SAVED_4(28), SAVED(PC),
};
/* clang-format on */

/* Returns bits @low to @low + @n - 1 of @word, as a signed number. */
static int64_t aarch64_signed_bits(uint32_t word, unsigned low, unsigned n)
{
	return (int64_t)((uint64_t)word << (64 - low - n)) >> (64 - n);
}

static struct code_flow aarch64_to(enum code_flow_kind kind, uint64_t target)
{
	return (struct code_flow){ .kind = kind, .has_target = true, .target = target };
}

/* Fixed bits and their meaning. The first match counts. Arm ARM, C4.1 and C6.2. */
static const struct {
	uint32_t mask, value;
	enum code_flow_kind kind;
	unsigned low, bits; /* position and width of the distance in words; 0 bits: there is none */
	bool is_conditional;
} flows[] = {
	{ 0xfc000000, 0x14000000, FLOW_JUMP, 0, 26, false },  /* b */
	{ 0xfc000000, 0x94000000, FLOW_CALL, 0, 26, false },  /* bl */
	{ 0xff000000, 0x54000000, FLOW_JUMP, 5, 19, true },   /* b.cond, bc.cond */
	{ 0x7e000000, 0x34000000, FLOW_JUMP, 5, 19, true },   /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, FLOW_JUMP, 5, 14, true },   /* tbz, tbnz */
	{ 0x3b000000, 0x18000000, FLOW_ON, 5, 19, false },    /* ldr, ldrsw, prfm: literal */
	{ 0xfefff000, 0xd61f0000, FLOW_JUMP, 0, 0, false },   /* br, braa, brab, braaz, brabz */
	{ 0xfefff000, 0xd63f0000, FLOW_CALL, 0, 0, false },   /* blr and the like */
	{ 0xfffff000, 0xd65f0000, FLOW_RETURN, 0, 0, false }, /* ret, retaa, retab */
	{ 0xfffff000, 0xd69f0000, FLOW_RETURN, 0, 0, false }, /* eret, eretaa */
};

static struct code_flow aarch64_code_flow(const uint8_t *bytes, size_t n, uint64_t addr)
{
	uint32_t word;

	if (n < AARCH64_INSTRUCTION_SIZE)
		return (struct code_flow){ .kind = FLOW_ON };
	word = aarch64_instruction(bytes);
	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		unsigned bits = flows[i].bits;

		if ((word & flows[i].mask) != flows[i].value)
			continue;
		if (!bits)
			return (struct code_flow){ .kind = flows[i].kind };
		return (struct code_flow){
			.kind = flows[i].kind,
			.is_conditional = flows[i].is_conditional,
			.has_target = true,
			.target = addr +
				  (uint64_t)aarch64_signed_bits(word, flows[i].low, bits) * 4,
		};
	}
	if ((word & 0x1f000000) == 0x10000000) {
		int64_t distance = aarch64_signed_bits(word, 5, 19) * 4 | (word >> 29 & 3);

		/* adrp names a page, adr names a byte. */
		return aarch64_to(FLOW_ON, word >> 31
						   ? (addr & ~0xfffull) + (uint64_t)distance * 4096
						   : addr + (uint64_t)distance);
	}
	return (struct code_flow){ .kind = FLOW_ON };
}

static bool aarch64_ends_call(const uint8_t *code, size_t n)
{
	return n >= AARCH64_INSTRUCTION_SIZE &&
	       aarch64_code_flow(code + n - AARCH64_INSTRUCTION_SIZE, AARCH64_INSTRUCTION_SIZE, 0)
			       .kind == FLOW_CALL;
}

static const struct code_frames code_frames = {
	.from_entry = aarch64_frame_from_entry,
	.from_exit = aarch64_frame_from_exit,
	.entry_reach = aarch64_entry_reach,
	.exit_silence = aarch64_exit_silence,
	.idle = aarch64_idle,
	.callee_record = aarch64_callee_record,
};

/*
 * Holds x0 to x30, sp, pc and pstate. The lowest bits of pstate are the exception level and the
 * 32-bit mode.
 */
static const struct arch_trap trap = {
	.pc = 256,
	.sp = 248,
	.fp = 8 * FP,
	.lr = 8 * LR,
	.mode = 264,
	.user_mask = 0xf,
	.native_mask = 0x1f,
};

static const struct arch_convention convention = {
	.sp = SP,
	.fp = FP,
	.pc = PC,
	.lr = LR,
	.record = { .cfa = 16, .ra = -8, .fp = -16, .hides_sp = true },
	.address_bits = { 48, 42, 39 },
	.thread_header = 16,
	.result_address = 8,
	.signal = { sigreturn, sizeof(sigreturn), saved_by_signal, ARRAY_SIZE(saved_by_signal) },
	.ends_call = aarch64_ends_call,
	.code = &code_frames,
	.frame_by_walk = aarch64_frame_by_walk,
	.trap = &trap,
};

/* Finds x0 to x30, their halves w0 to w30, and sp. */
static bool aarch64_find_register(const char *name, size_t n, char ret[8])
{
	unsigned long number;
	char *end;

	if (n == 2 && !memcmp(name, "sp", 2)) {
		strcpy(ret, "sp");
		return true;
	}
	if (n < 2 || (*name != 'x' && *name != 'w') || !isdigit((unsigned char)name[1]))
		return false;
	number = strtoul(name + 1, &end, 10);
	if (end != name + n || number > LR)
		return false;
	snprintf(ret, 8, "x%u", (unsigned)number);
	return true;
}

static const char *const more_probe_names[] = { "x30", "pstate", NULL };
static const uint8_t arguments[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static const struct arch_probes probes = {
	.more_names = more_probe_names,
	.summary = "%x0 to %x29, %lr, %sp, %pc and %pstate",
	.arguments = arguments,
	.n_arguments = ARRAY_SIZE(arguments),
	.copies_large = true,
	.find_register = aarch64_find_register,
};

/* Parses 5, x0, [sp, 16], [x1]. */
static bool sdt_operand(const char *s, size_t n, struct arch_operand *ret)
{
	const char *end = s + n, *comma = memchr(s, ',', n), *name_end = comma ? comma : end - 1;

	*ret = (struct arch_operand){ .kind = OPERAND_MEMORY };
	if (isdigit((unsigned char)*s) || *s == '-') {
		ret->kind = OPERAND_CONSTANT;
		return operand_number(s, end, &ret->number);
	}
	if (*s != '[') {
		ret->kind = OPERAND_REGISTER;
		return aarch64_find_register(s, n, ret->reg);
	}
	if (end[-1] != ']')
		return false;
	if (comma) {
		comma += 1 + strspn(comma + 1, " #");
		if (comma >= end || !operand_number(comma, end - 1, &ret->number))
			return false;
	}
	return aarch64_find_register(s + 1, (size_t)(name_end - (s + 1)), ret->reg);
}

/*
 * Returns the size of a stub. A stub ends with "br x17" after adrp, ldr and add, as its fourth
 * instruction. With branch protection, bti or autia1716 or both are added, and the stub has 24
 * bytes.
 */
static size_t plt_entry_size(const uint8_t *code, size_t n)
{
	static const uint32_t br_x17 = 0xd61f0220;

	if (n < 24 || aarch64_instruction(code + 12) == br_x17 ||
	    (aarch64_instruction(code + 16) != br_x17 && aarch64_instruction(code + 20) != br_x17))
		return 16;
	return 24;
}

static const struct arch_plt plt = {
	.header = 32,
	.entry = 16,
	.jump_slot = R_AARCH64_JUMP_SLOT,
	.irelative = R_AARCH64_IRELATIVE,
	.glob_dat = R_AARCH64_GLOB_DAT,
	.absolute = R_AARCH64_ABS64,
	.relative = R_AARCH64_RELATIVE,
	.thread = R_AARCH64_TLS_TPREL,
	.entry_size = plt_entry_size,
};

const struct arch arch_aarch64 = {
	.names = names,
	.triple = "aarch64-linux-gnu",
	.elf_machine = EM_AARCH64,
	.instruction_size = AARCH64_INSTRUCTION_SIZE,
	.has_mapping_symbols = true,
	.exception_prefix = "el1",
	.registers = &sampling,
	.convention = &convention,
	.probes = &probes,
	.plt = &plt,
	.code_flow = aarch64_code_flow,
	.sdt_operand = sdt_operand,
	.kvm_isa = kvm_isa_arm64,
};
