/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's structs that trace.bpf.c reads. libbpf finds the members through the kernel's BTF
 * when the object is loaded. Structs that differ between machines and versions each have a suffix
 * after three underscores, which is ignored.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/task-state.bpf.h"
#include "bpf/task.bpf.h"

#define KERNEL __attribute__((preserve_access_index))

struct thread_info___x86 {
	__u32 status;
} KERNEL;

struct pt_regs {
	int nothing;
};

struct pt_regs___arm64 {
	__u64 regs[31];
	__s32 syscallno;
} KERNEL;

struct pt_regs___x86 {
	unsigned long bx, cx, dx, si, di, bp, r8, r9, r10, orig_ax;
} KERNEL;

#define is_x86() bpf_core_field_exists(((struct pt_regs___x86 *)0)->orig_ax)

/* From arch/x86/include/asm/thread_info.h and arch/arm64/include/asm/thread_info.h. */
#define X86_TS_COMPAT   2
#define ARM64_TIF_32BIT 22

/* True if the current call of @task is that of a 32-bit program. */
static __always_inline _Bool task_is_compat(struct task_struct *task)
{
	if (is_x86())
		return ((struct thread_info___x86 *)&task->thread_info)->status & X86_TS_COMPAT;
	return task->thread_info.flags >> ARM64_TIF_32BIT & 1;
}

/* True if @task is not able to run when it is switched off. */
static __always_inline _Bool task_waits(struct task_struct *task, _Bool is_preempted)
{
	return !is_preempted && task_state(task);
}

/* Returns the number of the call that ends; -1: it is no longer known. */
static __always_inline __s64 call_number(struct pt_regs *regs)
{
	if (is_x86())
		return (__s32)((struct pt_regs___x86 *)regs)->orig_ax;
	return ((struct pt_regs___arm64 *)regs)->syscallno;
}

static __always_inline void call_args(struct pt_regs *regs, _Bool is_compat, __u64 *ret)
{
	struct pt_regs___x86 *x = (void *)regs;
	struct pt_regs___arm64 *a = (void *)regs;

	if (!is_x86()) {
		for (int i = 0; i < 6; i++)
			ret[i] = a->regs[i];
	} else if (is_compat) {
		ret[0] = x->bx, ret[1] = x->cx, ret[2] = x->dx;
		ret[3] = x->si, ret[4] = x->di, ret[5] = x->bp;
	} else {
		ret[0] = x->di, ret[1] = x->si, ret[2] = x->dx;
		ret[3] = x->r10, ret[4] = x->r8, ret[5] = x->r9;
	}
}
