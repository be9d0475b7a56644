/* SPDX-License-Identifier: MIT */
/*
 * What machines have in common with no compiler's help: the shape of a frame record, and of the
 * frame that the kernel builds for a signal handler (struct rt_sigframe of arch/arm64 and arch/x86
 * in the kernel, its parts in <asm/sigcontext.h> and <asm/ucontext.h>).
 */
#include "unwind/convention.h"

#include <string.h>

#include "base/cleanup.h"
#include "unwind/cfi-rules.h"

enum {
	X86_RAX,
	X86_RDX,
	X86_RCX,
	X86_RBX,
	X86_RSI,
	X86_RDI,
	X86_RBP,
	X86_RSP,
	X86_R8,
	X86_RIP = 16,
	A64_FP = 29,
	A64_LR = 30,
	A64_SP = 31,
	A64_PC = 32,
};

static const struct unwind_convention conventions[] = {
	[MACHINE_X86_64] = { MACHINE_X86_64, X86_RSP, X86_RBP, UNWIND_NO_REGISTER },
	[MACHINE_AARCH64] = { MACHINE_AARCH64, A64_SP, A64_FP, A64_LR },
};

const struct unwind_convention *unwind_convention(enum machine_type machine)
{
	return machine == MACHINE_UNKNOWN ? NULL : &conventions[machine];
}

/*
 * Both machines: the caller's frame pointer, then the return address. On x86 that is where a frame
 * begins; on aarch64 it may be anywhere in it.
 */
#define RECORD(pointer, is_inside)                                                                 \
	{                                                                                          \
		.cfa_register = (pointer), .ra_register = UNWIND_NO_REGISTER, .ra = UNWIND_AT_CFA, \
		.fp = UNWIND_AT_CFA, .hides_sp = (is_inside), .cfa_offset = 16, .ra_offset = -8,   \
		.fp_offset = -16,                                                                  \
	}

const struct unwind_rule *unwind_rule_by_frame_pointer(const struct unwind_convention *c)
{
	static const struct unwind_rule rules[] = {
		[MACHINE_X86_64] = RECORD(X86_RBP, 0),
		[MACHINE_AARCH64] = RECORD(A64_FP, 1),
	};

	return &rules[c->machine];
}

#define ON_STACK(n)                                                                                \
	{                                                                                          \
		.cfa_register = X86_RSP, .ra_register = UNWIND_NO_REGISTER, .ra = UNWIND_AT_CFA,   \
		.fp = UNWIND_SAME, .cfa_offset = 8 * ((n) + 1), .ra_offset = -8,                   \
	}

const struct unwind_rule *unwind_rule_by_stack(const struct unwind_convention *c, size_t i)
{
	static const struct unwind_rule rules[] = { ON_STACK(0), ON_STACK(1), ON_STACK(2) };

	return c->machine == MACHINE_X86_64 && i < ARRAY_SIZE(rules) ? &rules[i] : NULL;
}

const struct unwind_rule *unwind_rule_by_link_register(const struct unwind_convention *c)
{
	/* It is a guess: the frame may have been made already. */
	static const struct unwind_rule rule = { .cfa_register = A64_SP,
						 .ra_register = A64_LR,
						 .ra = UNWIND_SAME,
						 .fp = UNWIND_SAME,
						 .hides_sp = 1 };

	return c->lr == A64_LR ? &rule : NULL;
}

#define SAVED(number, at)                                                                          \
	{                                                                                          \
		(number),                                                                          \
		{                                                                                  \
			.where = CFI_AT_CFA, .offset = (at)                                        \
		}                                                                                  \
	}

/* siginfo_t, then struct ucontext up to uc_mcontext, then the fault address: regs[] follow. */
#define A64_REGS (128 + 176 + 8)
#define A64(i)   SAVED(i, A64_REGS + 8 * (i))
#define A64_8(i)                                                                                   \
	A64(i), A64((i) + 1), A64((i) + 2), A64((i) + 3), A64((i) + 4), A64((i) + 5),              \
		A64((i) + 6), A64((i) + 7)

/* uc_flags, uc_link and uc_stack; the registers in the order of struct sigcontext_64. */
#define X86_REGS       40
#define X86(number, i) SAVED(number, X86_REGS + 8 * (i))

static const struct unwind_detail aarch64_signal = {
	.n = 33,
	.items = { A64_8(0), A64_8(8), A64_8(16), A64_8(24), A64(A64_PC) },
};

static const struct unwind_detail x86_signal = {
	.n = 17,
	.items = { X86(X86_R8, 0), X86(X86_R8 + 1, 1), X86(X86_R8 + 2, 2), X86(X86_R8 + 3, 3),
		   X86(X86_R8 + 4, 4), X86(X86_R8 + 5, 5), X86(X86_R8 + 6, 6), X86(X86_R8 + 7, 7),
		   X86(X86_RDI, 8), X86(X86_RSI, 9), X86(X86_RBP, 10), X86(X86_RBX, 11),
		   X86(X86_RDX, 12), X86(X86_RAX, 13), X86(X86_RCX, 14), X86(X86_RSP, 15),
		   X86(X86_RIP, 16) },
};

/* In both the stack pointer is where all counts from. */
static const struct unwind_rule aarch64_signal_rule = {
	.cfa_register = A64_SP,
	.ra_register = A64_PC,
	.is_signal = 1,
	.detail = &aarch64_signal,
};

static const struct unwind_rule x86_signal_rule = {
	.cfa_register = X86_RSP,
	.ra_register = X86_RIP,
	.is_signal = 1,
	.detail = &x86_signal,
};

const struct unwind_rule *unwind_rule_of_signal(const struct unwind_convention *c,
						const uint8_t *code, size_t n)
{
	/* mov x8, #__NR_rt_sigreturn; svc #0 */
	static const uint8_t aarch64[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
	/* mov $__NR_rt_sigreturn, %rax; syscall */
	static const uint8_t x86[] = { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 };

	if (c->machine == MACHINE_AARCH64 && n >= sizeof(aarch64) &&
	    !memcmp(code, aarch64, sizeof(aarch64)))
		return &aarch64_signal_rule;
	if (c->machine == MACHINE_X86_64 && n >= sizeof(x86) && !memcmp(code, x86, sizeof(x86)))
		return &x86_signal_rule;
	return NULL;
}
