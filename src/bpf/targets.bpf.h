/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tasks whose events count: the BPF side of bpf/targets.h.
 *
 * An object that includes this has a constant that contains a struct program_targets, and defines
 * with TARGET_PROGRAMS() the programs that follow tasks through fork, exec and exit. An object that
 * does more at exec and exit defines TARGET_FORK_PROGRAM() only.
 */
#include "bpf/fields.bpf.h"

/* Tasks by their ids in the initial namespace: see PROGRAM_TASK_*. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} cgroup SEC(".maps");

/* The number of tasks for which the map had no space. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} tasks_lost SEC(".maps");

static __always_inline _Bool target_cpu(const volatile struct program_targets *t)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return cpu < PROGRAM_CPUS_MAX && t->cpus[cpu / 64] >> cpu % 64 & 1;
}

static __always_inline _Bool target_task(void)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	__u32 *state = bpf_map_lookup_elem(&tasks, &tid);

	return state && *state == PROGRAM_TASK_COUNTS;
}

/* True if events of the current task on this CPU count. */
static __always_inline _Bool is_target(const volatile struct program_targets *t)
{
	if (t->limits_cpus && !target_cpu(t))
		return 0;
	if (t->limits_cgroup && bpf_current_task_under_cgroup(&cgroup, 0) != 1)
		return 0;
	return !t->limits_tasks || target_task();
}

static __always_inline void add_task(__u32 tid)
{
	__u32 counts = PROGRAM_TASK_COUNTS, zero = 0;
	__u64 *lost;

	if (!bpf_map_update_elem(&tasks, &tid, &counts, BPF_ANY))
		return;
	lost = bpf_map_lookup_elem(&tasks_lost, &zero);
	if (lost)
		*lost += 1;
}

/* Follows a fork. The new task is not running yet, so nothing is missed. */
static __always_inline void target_fork(void *ctx, const volatile struct program_targets *t)
{
	if (target_task())
		add_task((__u32)field_number(ctx, &t->child));
}

/*
 * Follows an exec of the current task, which had the id @old before: a thread that calls exec
 * becomes the process, and has the id of its first thread from then on.
 */
static __always_inline void target_renamed(__u32 old)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();

	if (!bpf_map_lookup_elem(&tasks, &old))
		return;
	if (old != tid)
		bpf_map_delete_elem(&tasks, &old);
	add_task(tid);
}

static __always_inline void target_exec(void *ctx, const volatile struct program_targets *t)
{
	target_renamed((__u32)field_number(ctx, &t->old_task));
}

static __always_inline void target_exit(void)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();

	bpf_map_delete_elem(&tasks, &tid);
}

#define TARGET_PROGRAMS(targets)                                                                   \
	SEC("tracepoint") int on_fork(void *ctx)                                                   \
	{                                                                                          \
		target_fork(ctx, targets);                                                         \
		return PROGRAM_PASS;                                                               \
	}                                                                                          \
	SEC("tracepoint") int on_exec(void *ctx)                                                   \
	{                                                                                          \
		target_exec(ctx, targets);                                                         \
		return PROGRAM_PASS;                                                               \
	}                                                                                          \
	SEC("tracepoint") int on_exit(void *ctx)                                                   \
	{                                                                                          \
		target_exit();                                                                     \
		return PROGRAM_PASS;                                                               \
	}

/*
 * Defines the program that follows forks in objects whose tracepoints have types. The arguments are
 * the parent and the new task, which is not running yet, so nothing is missed.
 */
#define TARGET_FORK_PROGRAM()                                                                      \
	SEC("tp_btf/sched_process_fork") int on_fork(__u64 *ctx)                                   \
	{                                                                                          \
		struct task_struct *child = (void *)ctx[1];                                        \
                                                                                                   \
		if (target_task())                                                                 \
			add_task(child->pid);                                                      \
		return 0;                                                                          \
	}
