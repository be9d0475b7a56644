/* SPDX-License-Identifier: MIT */
/*
 * Measures how long tasks are off their CPUs, from one sched_switch to the next.
 *
 * When a task leaves, its stack and the time are noted. When it comes back, a long wait goes into a
 * ring buffer at once, and a short one is added to a sum of its task, state and stack. If there is
 * no space for a sum, nothing is lost: such a wait goes into the ring, too.
 *
 * The scheduler holds the lock of its run queue here, and allocating memory may wake up a task,
 * which takes that lock. All maps are therefore allocated in advance.
 */
#include "bpf/about.bpf.h"
#include "bpf/losses.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/task-state.bpf.h"

#include "bpf/off-cpu-stack.bpf.h"

const volatile struct off_cpu_constants constants = { 0 };

/* Bits of a task's state (include/linux/sched.h). */
enum {
	STATE_INTERRUPTIBLE = 1,
	STATE_UNINTERRUPTIBLE = 2,
	STATE_STOPPED = 4 | 8,
	STATE_DEAD = 0x10 | 0x20 | 0x80,
};

#define FLAG_KERNEL_THREAD 0x00200000 /* PF_KTHREAD */

/* Whether waits count now: 0 or 1. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} enabled SEC(".maps");

/* Waits by task. Entries stay until the task has ended. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct off_cpu_wait);
} waits SEC(".maps");

/* An empty wait; it is too large for the stack of a program. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct off_cpu_wait);
} blank SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct off_cpu_key);
	__type(value, struct off_cpu_sum);
} sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct off_cpu_frames);
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, OFF_CPU_CGROUPS_MAX);
	__type(key, __u32);
	__type(value, __u32);
} cgroups SEC(".maps");

LOSSES(OFF_CPU_LOSSES)

static __always_inline _Bool is_enabled(void)
{
	__u32 zero = 0;
	volatile __u64 *on = bpf_map_lookup_elem(&enabled, &zero);

	return on && *on;
}

static __always_inline _Bool is_in_cgroups(void)
{
	for (__u32 i = 0; i < OFF_CPU_CGROUPS_MAX; i++) {
		if (i >= constants.n_cgroups)
			break;
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return 1;
	}
	return 0;
}

/* True if the current task counts. */
static __always_inline _Bool is_meant(const struct task_struct *task)
{
	if (!task->pid || (!constants.kernel_threads && task->flags & FLAG_KERNEL_THREAD))
		return 0;
	return is_target(&constants.targets) && (!constants.n_cgroups || is_in_cgroups());
}

/*
 * Returns the state from the argument, because a task that is being woken up at this moment already
 * has another state in memory.
 */
static __always_inline __u32 state_bits(__u64 *ctx, struct task_struct *task)
{
	return constants.has_prev_state ? (__u32)ctx[3] : task_state(task);
}

static __always_inline __u32 state_of(__u32 bits, _Bool is_preempted)
{
	if (is_preempted)
		return OFF_CPU_RUNNABLE;
	if (bits & STATE_UNINTERRUPTIBLE)
		return OFF_CPU_SLEEPS_DEEPLY;
	if (bits & STATE_STOPPED)
		return OFF_CPU_STOPPED;
	return bits ? OFF_CPU_SLEEPS : OFF_CPU_RUNNABLE;
}

static __always_inline struct off_cpu_wait *get_wait(__u32 tid)
{
	struct off_cpu_wait *w = bpf_map_lookup_elem(&waits, &tid), *empty;
	__u32 zero = 0;

	if (w)
		return w;
	empty = bpf_map_lookup_elem(&blank, &zero);
	if (!empty)
		return NULL;
	bpf_map_update_elem(&waits, &tid, empty, BPF_NOEXIST);
	w = bpf_map_lookup_elem(&waits, &tid);
	if (!w)
		add_loss(OFF_CPU_LOST_TASKS);
	return w;
}

/* Notes that @task, the current one, leaves its CPU. */
static __always_inline void leave(__u64 *ctx, struct task_struct *task, __u64 now_ns)
{
	_Bool is_preempted = ctx[0];
	__u32 bits = state_bits(ctx, task), state = state_of(bits, is_preempted);
	__u32 tid = task->pid;
	struct off_cpu_wait *w;

	if (!is_preempted && bits & STATE_DEAD) {
		bpf_map_delete_elem(&waits, &tid);
		return;
	}
	if (!(constants.states >> state & 1) || !is_meant(task))
		return;
	w = get_wait(tid);
	if (!w || w->is_ended)
		return;
	w->tid = tid;
	w->tgid = task->tgid;
	w->cpu = bpf_get_smp_processor_id();
	w->state = state;
	take_stack(ctx, task, &w->stack);
	w->stack_hash = hash_stack(&w->stack);
	w->begin_ns = now_ns;
}

/* Reports a wait at once. The reader looks once a second, or when there is much data. */
static __noinline void tell(struct off_cpu_wait *w)
{
	__u64 n = 0, size, flags = BPF_RB_NO_WAKEUP;

	if (!w)
		return;
	n = w->stack.n_kernel + w->stack.n_user;
	if (n > OFF_CPU_FRAMES)
		return;
	size = __builtin_offsetof(struct off_cpu_wait, stack.words) + n * sizeof(__u64);
	if (bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >= constants.ring_wake_bytes)
		flags = BPF_RB_FORCE_WAKEUP;
	if (!bpf_ringbuf_output(&ring, w, size, flags))
		return;
	add_loss(OFF_CPU_LOST_WAITS);
	add_losses(OFF_CPU_LOST_NS, w->end_ns - w->begin_ns);
}

/*
 * Adds a wait to its sum. False: there is no space. Sums belong to one task, which is running here,
 * so there is no race.
 */
static __always_inline _Bool add_to_sum(struct off_cpu_wait *w)
{
	struct off_cpu_key key = { .stack_hash = w->stack_hash,
				   .tid = w->tid,
				   .tgid = w->tgid,
				   .state = w->state,
				   .generation = w->generation };
	struct off_cpu_sum first = { .ns = w->end_ns - w->begin_ns, .waits = 1, .cpu = w->cpu };
	struct off_cpu_sum *sum = bpf_map_lookup_elem(&sums, &key);

	if (sum) {
		sum->ns += first.ns;
		sum->waits++;
		sum->cpu = first.cpu;
		return 1;
	}
	if (!bpf_map_lookup_elem(&stacks, &key.stack_hash) &&
	    bpf_map_update_elem(&stacks, &key.stack_hash, &w->stack, BPF_ANY))
		return 0;
	w->has_sums = 1;
	return !bpf_map_update_elem(&sums, &key, &first, BPF_NOEXIST);
}

/* Handles the return of @task to this CPU. */
static __always_inline void come(struct task_struct *task, __u64 now_ns)
{
	__u32 tid = task->pid;
	struct off_cpu_wait *w = bpf_map_lookup_elem(&waits, &tid);
	__u64 ns;

	if (!w || !w->begin_ns)
		return;
	w->end_ns = now_ns;
	w->cpu = bpf_get_smp_processor_id();
	ns = now_ns > w->begin_ns ? now_ns - w->begin_ns : 0;
	if (ns >= constants.least_ns && (ns >= constants.threshold_ns || !add_to_sum(w)))
		tell(w);
	w->begin_ns = 0;
}

/*
 * Handles a switch. The arguments are: whether it is a preemption, the task that leaves, the task
 * that comes, and the state of the task that leaves.
 */
SEC("tp_btf/sched_switch")
int off_cpu_switch(__u64 *ctx)
{
	__u64 now_ns;

	if (!is_enabled())
		return 0;
	now_ns = bpf_ktime_get_ns();
	leave(ctx, (void *)ctx[1], now_ns);
	come((void *)ctx[2], now_ns);
	return 0;
}

/*
 * Ends the sums of a task before it becomes another program, or ends. Later, readers of the file no
 * longer know its functions and its name.
 */
static __noinline void end_generation(__u32 tid, __u32 why)
{
	struct off_cpu_wait *w = bpf_map_lookup_elem(&waits, &tid);

	if (!w)
		return;
	if (w->has_sums) {
		w->begin_ns = w->end_ns = bpf_ktime_get_ns();
		w->state = why;
		w->stack.n_kernel = w->stack.n_user = 0;
		tell(w);
	}
	w->begin_ns = 0;
	w->has_sums = 0;
	w->generation++;
	w->is_ended = why == OFF_CPU_EXIT;
}

TARGET_FORK_PROGRAM()

/* Handles an exec. The arguments are the task and its previous id. */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	end_generation((__u32)bpf_get_current_pid_tgid(), OFF_CPU_EXEC);
	if (constants.targets.limits_tasks)
		target_renamed((__u32)ctx[1]);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int on_exit(void *ctx)
{
	end_generation((__u32)bpf_get_current_pid_tgid(), OFF_CPU_EXIT);
	if (constants.targets.limits_tasks)
		target_exit();
	return 0;
}
