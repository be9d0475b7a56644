/* SPDX-License-Identifier: MIT */
/*
 * The registers that a program at a probe of a function gets, by the names of the kernel. The
 * macros are those of bpf/bpf_tracing.h, for who includes that file no header of libbpf.
 */
#pragma once
#include <linux/types.h>

#if defined(__TARGET_ARCH_arm64)
struct pt_regs {
	__u64 regs[31], sp, pc, pstate;
};
#define PERF_REG(ctx, n) ((ctx)->regs[n])
#ifndef PT_REGS_PARM1
#define PT_REGS_PARM1(ctx) PERF_REG(ctx, 0)
#define PT_REGS_PARM2(ctx) PERF_REG(ctx, 1)
#define PT_REGS_PARM3(ctx) PERF_REG(ctx, 2)
#define PT_REGS_PARM4(ctx) PERF_REG(ctx, 3)
#define PT_REGS_PARM5(ctx) PERF_REG(ctx, 4)
#define PT_REGS_RC(ctx)    PERF_REG(ctx, 0)
#define PT_REGS_FP(ctx)    PERF_REG(ctx, 29)
#define PT_REGS_RET(ctx)   PERF_REG(ctx, 30)
#define PT_REGS_SP(ctx)    ((ctx)->sp)
#define PT_REGS_IP(ctx)    ((ctx)->pc)
#endif
#elif defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip,
		cs, flags, sp, ss;
};
#ifndef PT_REGS_PARM1
#define PT_REGS_PARM1(ctx) ((ctx)->di)
#define PT_REGS_PARM2(ctx) ((ctx)->si)
#define PT_REGS_PARM3(ctx) ((ctx)->dx)
#define PT_REGS_PARM4(ctx) ((ctx)->cx)
#define PT_REGS_PARM5(ctx) ((ctx)->r8)
#define PT_REGS_RC(ctx)    ((ctx)->ax)
#define PT_REGS_FP(ctx)    ((ctx)->bp)
#define PT_REGS_SP(ctx)    ((ctx)->sp)
#define PT_REGS_IP(ctx)    ((ctx)->ip)
#endif
#endif
