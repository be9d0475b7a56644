/* SPDX-License-Identifier: MIT */
/*
 * Counts for tasks, CPUs or cgroups from counters that run for everything on each CPU
 * (bpf/counters.h). Each counter is read when a CPU begins and ends to run a counted task, and the
 * difference belongs to that task.
 *
 * A sum is kept for each slot and event: a slot is a task with all tasks that it forks, or a
 * cgroup. For CPUs there is one slot, and the sums of each CPU are the result.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/about.bpf.h"
#include "bpf/counters-types.h"
#include "bpf/losses.bpf.h"

/* Levels of nested cgroups that are looked at, of which COUNTERS_NESTED_MAX may count. */
#define DEPTH_MAX 32

#define KERNEL __attribute__((preserve_access_index))

struct kernfs_node {
	__u64 id;
} KERNEL;

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
} KERNEL;

struct cgroup {
	struct kernfs_node *kn;
} KERNEL;

/* At least as many members as in any kernel; only the offset of one is used. */
struct css_set {
	struct cgroup_subsys_state *subsys[32];
} KERNEL;

enum cgroup_subsys_id {
	perf_event_cgrp_id = 8,
};

struct task_struct {
	int pid;
	struct css_set *cgroups;
} KERNEL;

const volatile struct counters_constants constants;

/* For each event, the counters of all CPUs. */
struct event_array {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(map_flags, BPF_F_PRESERVE_ELEMS);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, COUNTERS_EVENTS_MAX);
	__type(key, __u32);
	__array(values, struct event_array);
} events SEC(".maps");

/* [slot * n_events + event] */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counters_sum);
} sums SEC(".maps");

/* The last readings of the counters. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COUNTERS_EVENTS_MAX);
	__type(key, __u32);
	__type(value, struct counters_sum);
} readings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct counters_cpu);
} cpus SEC(".maps");

/* Slots by the ids of tasks in the initial namespace. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} tasks SEC(".maps");

/* Slots by the ids of cgroups. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} groups SEC(".maps");

/* Whether counting is on. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} enabled SEC(".maps");

LOSSES(COUNTERS_LOSSES)

static __always_inline _Bool is_enabled(void)
{
	__u32 zero = 0, *on = bpf_map_lookup_elem(&enabled, &zero);

	return on && *on;
}

static __always_inline struct counters_cpu *this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

/* Adds the counts since the last reading to one slot. */
static __always_inline void add(__u32 slot, __u32 event, const struct counters_sum *more)
{
	__u32 key = slot * constants.n_events + event;
	struct counters_sum *sum = bpf_map_lookup_elem(&sums, &key);

	if (!sum)
		return;
	sum->count += more->count;
	sum->enabled_ns += more->enabled_ns;
	sum->running_ns += more->running_ns;
}

static __always_inline void add_to_slots(const struct counters_cpu *cpu, __u32 event,
					 const struct counters_sum *more)
{
	for (__u32 i = 0; i < COUNTERS_NESTED_MAX; i++) {
		if (i >= cpu->n_slots)
			break;
		add(cpu->slots[i], event, more);
	}
}

/*
 * Reads all counters of this CPU. If it has been counting, the counts since the last reading are
 * added to the slots. Not inlined, so that the verifier checks it only once.
 */
__attribute__((noinline)) int take_readings(struct counters_cpu *cpu)
{
	if (!cpu)
		return 0;
	for (__u32 i = 0; i < COUNTERS_EVENTS_MAX; i++) {
		struct bpf_perf_event_value v = { 0 };
		struct counters_sum *last, more;
		__u32 key = i;
		void *array;

		if (i >= constants.n_events)
			break;
		array = bpf_map_lookup_elem(&events, &key);
		last = bpf_map_lookup_elem(&readings, &key);
		if (!array || !last)
			break;
		if (bpf_perf_event_read_value(array, BPF_F_CURRENT_CPU, &v, sizeof(v))) {
			add_loss(COUNTERS_LOST_READS);
			continue;
		}
		more.count = v.counter - last->count;
		more.enabled_ns = v.enabled - last->enabled_ns;
		more.running_ns = v.running - last->running_ns;
		last->count = v.counter;
		last->enabled_ns = v.enabled;
		last->running_ns = v.running;
		if (cpu->is_counting)
			add_to_slots(cpu, i, &more);
	}
	return 0;
}

static __always_inline struct cgroup_subsys_state *state_of(struct task_struct *task)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state *css = 0;
	__u32 id = bpf_core_enum_value(enum cgroup_subsys_id, perf_event_cgrp_id);

	bpf_core_read(&css, sizeof(css), &set->subsys[id & 31]);
	return css;
}

/*
 * Makes the CPU count for the cgroup @id, too, if it is one of ours. Not inlined, so that the
 * verifier checks it only once.
 */
__attribute__((noinline)) int add_group(struct counters_cpu *cpu, __u64 id)
{
	__u32 *slot = bpf_map_lookup_elem(&groups, &id);
	__u32 n;

	if (!cpu || !slot)
		return 0;
	n = cpu->n_slots;
	if (n >= COUNTERS_NESTED_MAX)
		return 0;
	cpu->slots[n] = *slot;
	cpu->n_slots = n + 1;
	return 0;
}

/* Finds the cgroups for which @css counts: its own and those that contain it. */
static __always_inline void find_groups(struct counters_cpu *cpu, struct cgroup_subsys_state *css)
{
	cpu->n_slots = 0;
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		if (!css)
			break;
		add_group(cpu, BPF_CORE_READ(css, cgroup, kn, id));
		css = BPF_CORE_READ(css, parent);
	}
}

/* Finds the slots of the task that the CPU will run, or runs. */
static __always_inline void find_slots(struct counters_cpu *cpu, struct task_struct *task,
				       __u32 tid)
{
	__u32 *slot;

	if (constants.of == COUNTERS_OF_CGROUPS) {
		struct cgroup_subsys_state *css = state_of(task);

		cpu->cgroup = (__u64)css;
		find_groups(cpu, css);
	} else if (constants.of == COUNTERS_OF_CPUS) {
		cpu->slots[0] = 0;
		cpu->n_slots = 1;
	} else {
		slot = bpf_map_lookup_elem(&tasks, &tid);
		cpu->n_slots = slot && !(*slot & COUNTERS_WAITS);
		if (slot)
			cpu->slots[0] = *slot;
	}
}

/*
 * Handles a switch from one task to another: the counters are read only if one of the tasks counts.
 */
static __always_inline void change_task(struct counters_cpu *cpu, struct task_struct *task,
					__u32 tid)
{
	_Bool on = is_enabled();

	if (!on && !cpu->is_counting)
		return;
	if (cpu->is_counting && constants.of == COUNTERS_OF_CGROUPS && on &&
	    cpu->cgroup == (__u64)state_of(task))
		return;
	if (cpu->is_counting && cpu->n_slots) {
		take_readings(cpu);
		find_slots(cpu, task, tid);
	} else {
		cpu->is_counting = 0;
		find_slots(cpu, task, tid);
		if (cpu->n_slots)
			take_readings(cpu);
	}
	cpu->is_counting = on;
}

SEC("raw_tp/sched_switch")
int on_switch(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *next = (struct task_struct *)ctx->args[2];
	struct counters_cpu *cpu = this_cpu();

	if (cpu)
		change_task(cpu, next, BPF_CORE_READ(next, pid));
	return 0;
}

/*
 * Handles the exec of perf's child: the kernel renames the task at the point where it starts
 * ordinary events with enable_on_exec.
 */
SEC("raw_tp/task_rename")
int on_rename(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	__u32 *slot = bpf_map_lookup_elem(&tasks, &tid);
	struct counters_cpu *cpu = this_cpu();

	if (!slot || !(*slot & COUNTERS_WAITS) || !cpu)
		return 0;
	*slot &= ~COUNTERS_WAITS;
	change_task(cpu, 0, tid);
	return 0;
}

SEC("raw_tp/sched_process_fork")
int on_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *child = (struct task_struct *)ctx->args[1];
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), child_tid;
	__u32 *slot = bpf_map_lookup_elem(&tasks, &tid), copy;

	if (!slot)
		return 0;
	copy = *slot;
	child_tid = BPF_CORE_READ(child, pid);
	if (bpf_map_update_elem(&tasks, &child_tid, &copy, BPF_ANY))
		add_loss(COUNTERS_LOST_TASKS);
	return 0;
}

/*
 * Handles an exec. A thread that calls exec becomes the process, and has the id of its first thread
 * from then on.
 */
SEC("raw_tp/sched_process_exec")
int on_exec(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), old = (__u32)ctx->args[1];
	__u32 *slot = bpf_map_lookup_elem(&tasks, &old), copy;

	if (!slot || old == tid)
		return 0;
	copy = *slot;
	bpf_map_update_elem(&tasks, &tid, &copy, BPF_ANY);
	bpf_map_delete_elem(&tasks, &old);
	return 0;
}

/*
 * Removes a task when it is freed, not when it exits: after its exit it still runs until it is
 * switched off.
 */
SEC("raw_tp/sched_process_free")
int on_free(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (struct task_struct *)ctx->args[0];
	__u32 tid = BPF_CORE_READ(task, pid);

	bpf_map_delete_elem(&tasks, &tid);
	return 0;
}

/* Runs around another BPF program, whose runs count. */
SEC("fentry/program")
int on_entry(void *ctx)
{
	struct counters_cpu *cpu = this_cpu();

	if (!cpu || !is_enabled())
		return 0;
	cpu->is_counting = 0;
	take_readings(cpu);
	cpu->is_counting = 1;
	return 0;
}

SEC("fexit/program")
int on_return(void *ctx)
{
	struct counters_cpu *cpu = this_cpu();

	if (!cpu || !cpu->is_counting)
		return 0;
	cpu->slots[0] = 0;
	cpu->n_slots = 1;
	take_readings(cpu);
	cpu->is_counting = 0;
	return 0;
}

/* Runs on each CPU with a command, and is not attached. */
SEC("raw_tp/sys_enter")
int control(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct counters_cpu *cpu = this_cpu();
	__u32 command = ctx->args[0];

	if (!cpu)
		return 0;
	if (command == COUNTERS_START) {
		cpu->is_counting = 0;
		find_slots(cpu, task, (__u32)bpf_get_current_pid_tgid());
		take_readings(cpu);
		cpu->is_counting = 1;
	} else if (cpu->is_counting) {
		if (cpu->n_slots)
			take_readings(cpu);
		cpu->is_counting = command == COUNTERS_FLUSH;
	}
	return 0;
}
