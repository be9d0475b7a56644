/* SPDX-License-Identifier: MIT */
/*
 * Counts waits for locks: those of the kernel (lock:contention_begin to contention_end), and those
 * for futexes, from which locks of user space are made.
 *
 * Most work is done at the begin, because its task is about to wait anyway: the program reads the
 * stack and finds the row. After the end, the task has the lock that others want. The end therefore
 * only reads the clock and adds to counts that belong to this CPU.
 *
 * A wait that spins cannot leave its CPU, but interrupts may come and spin as well. A wait that
 * sleeps belongs to its task, and may contain others (the wait_lock of a mutex, or the rt_mutex of
 * a read-write lock). So there is a small stack of open waits for each CPU, and one for each task.
 * The kernel takes locks in any context, including its memory allocator, so all maps are allocated
 * beforehand.
 */
#include "bpf/about.bpf.h"
#include "tools/lock/lock-futex.bpf.h"
#include "tools/lock/lock-state.bpf.h"

static __always_inline __u32 row_of_kernel_lock(void *ctx, __u64 addr, __u32 flags)
{
	struct bpf_lock_key key = { 0 };
	__u32 zero = 0;
	struct bpf_lock_info *info = bpf_map_lookup_elem(&scratch, &zero);
	long n = 0;

	if (!info)
		return constants.rows_max;
	info->flags = flags;
	info->addr = addr;
	info->name = BPF_LOCK_UNNAMED;
	info->cache[0] = 0;
	info->stack_bytes = 0;
	info->cgroup = constants.by == BPF_LOCK_BY_CGROUP ? bpf_get_current_cgroup_id() : 0;
	set_task(info);
	if (constants.owners) {
		set_owner(info);
	} else if (constants.kernel_bytes) {
		n = bpf_get_stack(ctx, info->stack, constants.kernel_bytes, 0);
		if (n <= 0)
			add_loss(BPF_LOCK_LOST_STACKS);
		info->stack_bytes = n > 0 ? n : 0;
	}
	set_key(&key, info);
	if (constants.kernel_bytes)
		key.stack = hash_of(info->stack, info->stack_bytes);
	return find_row(&key, info);
}

static __always_inline struct bpf_lock_waits *waits_of_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&spinning, &zero);
}

static __always_inline struct bpf_lock_waits *waits_of_task(_Bool makes)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	struct bpf_lock_waits *w = bpf_map_lookup_elem(&sleeping, &tid);
	struct bpf_lock_waits none = { 0 };

	if (w || !makes)
		return w;
	bpf_map_update_elem(&sleeping, &tid, &none, BPF_NOEXIST);
	w = bpf_map_lookup_elem(&sleeping, &tid);
	if (!w)
		add_loss(BPF_LOCK_LOST_TASKS);
	return w;
}

static __always_inline _Bool is_open(const struct bpf_lock_waits *w, __u64 addr)
{
#pragma unroll
	for (__u32 i = 0; i < BPF_LOCK_NESTED_MAX; i++)
		if (i < w->n && w->items[i].addr == addr)
			return 1;
	return 0;
}

/* Arguments: the lock, flags. */
SEC("tp_btf/contention_begin")
int on_begin(__u64 *ctx)
{
	__u64 addr = ctx[0], begin_ns = bpf_ktime_get_ns();
	__u32 flags = (__u32)ctx[1], n, row;
	_Bool spins = (flags & (FLAG_SPIN | FLAG_MUTEX)) == FLAG_SPIN;
	struct bpf_lock_waits *w;
	struct bpf_lock_wait *wait;

	if (!is_wanted(addr, flags) || !is_meant())
		return 0;
	w = spins ? waits_of_cpu() : waits_of_task(1);
	if (!w)
		return 0;
	/*
	 * A mutex begins to spin, and begins again when it goes to sleep. This counts as one wait.
	 */
	if (!spins && is_open(w, addr))
		return 0;
	n = w->n;
	if (n >= BPF_LOCK_NESTED_MAX) {
		/* None of these waits can still be open: their ends were not seen. */
		add_loss(spins ? BPF_LOCK_LOST_ENDS : BPF_LOCK_LOST_NESTED);
		w->n = n = 0;
	}
	/* Interrupts that spin from here on use the next place. */
	w->n = n + 1;
	wait = &w->items[n & (BPF_LOCK_NESTED_MAX - 1)];
	wait->addr = 0;
	row = row_of_kernel_lock(ctx, addr, flags);
	wait->row = row;
	wait->begin_ns = begin_ns;
	wait->addr = addr;
	return 0;
}

/* Ends the wait for @addr, if it is in @w, together with all waits that began later. */
static __always_inline _Bool end_wait(struct bpf_lock_waits *w, __u64 addr)
{
	__u64 now_ns;

#pragma unroll
	for (int i = BPF_LOCK_NESTED_MAX - 1; i >= 0; i--) {
		struct bpf_lock_wait *wait = &w->items[i];

		if (i >= (int)w->n || wait->addr != addr)
			continue;
		now_ns = bpf_ktime_get_ns();
		w->n = i;
		count(wait->row, now_ns > wait->begin_ns ? now_ns - wait->begin_ns : 0);
		return 1;
	}
	return 0;
}

/* Arguments: the lock, the result. */
SEC("tp_btf/contention_end")
int on_end(__u64 *ctx)
{
	__u64 addr = ctx[0];
	struct bpf_lock_waits *w = waits_of_cpu();

	if (w && w->n && end_wait(w, addr))
		return 0;
	w = waits_of_task(0);
	if (w && w->n)
		end_wait(w, addr);
	return 0;
}

TARGET_FORK_PROGRAM()

/* Arguments: the task, its previous id. */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	target_renamed((__u32)ctx[1]);
	return 0;
}

/* Stores the last name of the task in its own row. */
static __always_inline void name_row(__u32 tid)
{
	struct bpf_lock_key key = { .what = tid };
	struct bpf_lock_info *info = bpf_map_lookup_elem(&rows, &key);

	if (info)
		bpf_get_current_comm(info->comm, sizeof(info->comm));
}

SEC("tp_btf/sched_process_exit")
int on_exit(void *ctx)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid();

	if (constants.by == BPF_LOCK_BY_TASK)
		name_row(tid);

	bpf_map_delete_elem(&sleeping, &tid);
	bpf_map_delete_elem(&futexes, &tid);
	if (constants.targets.limits_tasks)
		target_exit();
	return 0;
}
