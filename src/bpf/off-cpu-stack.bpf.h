/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a task that leaves its CPU: the only place where it is taken.
 *
 * User stacks are unwound by rules (bpf/unwind.bpf.h) if that was requested and leads to the
 * outermost function. Otherwise, and for its own part, the kernel follows frame pointers. The task
 * that leaves is still the current one.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/off-cpu-types.h"

extern const volatile struct off_cpu_constants constants;

#include "bpf/unwind.bpf.h"

struct pt_regs___link {
	__u64 regs[31];
} __attribute__((preserve_access_index));

#define LINK_REGISTER 30

/*
 * Returns the link register, which frame pointers do not lead to: the caller of a function that has
 * no frame of its own.
 */
static __always_inline __u64 link_of(struct task_struct *task)
{
	struct pt_regs___link *regs;

	if (!constants.wants_link || !constants.user_bytes)
		return 0;
	regs = (void *)bpf_task_pt_regs(task);
	return regs ? BPF_CORE_READ(regs, regs[LINK_REGISTER]) : 0;
}

/*
 * Returns the result of bpf_get_stack() as a size that is at most @max; 0: it failed. The
 * comparison must be of the very register that is used afterwards, or verifiers before Linux 6.13
 * do not see its limits.
 */
static __always_inline __u64 size_of(long result, __u64 max)
{
	__u64 size = (__u64)result;

	barrier_var(size);
	return size > max ? 0 : size;
}

/*
 * Unwinds the user stack of the current task to @to. Returns its size in bytes; 0: it cannot be
 * unwound.
 */
static __always_inline __u64 unwind_to(void *to)
{
	const __u64 max = OFF_CPU_USER_FRAMES * sizeof(__u64);
	struct unwind_state *u;
	__u64 size;

	if (!constants.unwinds)
		return 0;
	u = unwind_begin();
	if (!u || unwind_user(0) != UNWIND_DONE)
		return 0;
	size = (__u64)u->n * sizeof(__u64);
	barrier_var(size);
	if (size > max)
		size = max;
	return bpf_probe_read_kernel(to, size, u->frames) ? 0 : size;
}

/* Takes the stack of @task, the current one, with the context @ctx of its program. */
static __always_inline void take_stack(void *ctx, struct task_struct *task,
				       struct off_cpu_frames *s)
{
	const __u64 kernel_max = OFF_CPU_KERNEL_FRAMES * sizeof(__u64);
	const __u64 user_max = OFF_CPU_USER_FRAMES * sizeof(__u64);
	__u64 kernel = 0, user = 0;

	s->link = 0;
	if (constants.kernel_bytes)
		kernel = size_of(bpf_get_stack(ctx, s->words, kernel_max, 0), kernel_max);
	s->n_kernel = kernel / sizeof(__u64);
	if (constants.user_bytes) {
		user = unwind_to((void *)s->words + kernel);
		if (!user) {
			user = size_of(bpf_get_stack(ctx, (void *)s->words + kernel, user_max,
						     BPF_F_USER_STACK),
				       user_max);
			s->link = link_of(task);
		}
	}
	s->n_user = user / sizeof(__u64);
}

/* Returns a hash by which equal stacks are found. */
static __always_inline __u64 hash_stack(const struct off_cpu_frames *s)
{
	__u64 hash = s->link ^ 0x9e3779b97f4a7c15 ^ (__u64)s->n_kernel << 32;
	__u32 n = s->n_kernel + s->n_user;

	for (__u32 i = 0; i < OFF_CPU_FRAMES; i++) {
		if (i >= n)
			break;
		hash = (hash ^ s->words[i]) * 0xff51afd7ed558ccd;
		hash ^= hash >> 32;
	}
	return hash;
}
