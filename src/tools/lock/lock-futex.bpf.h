/* SPDX-License-Identifier: MIT */
#pragma once
/* Waits for futexes: the system calls of lock.bpf.c, which counts them in its rows. */
#include <linux/futex.h>

#include "tools/lock/lock-state.bpf.h"

static __always_inline _Bool is_call(__s64 nr, _Bool is_compat)
{
	const volatile __s32 *calls = constants.calls[is_compat];

	return nr == calls[BPF_LOCK_CALL_FUTEX] || nr == calls[BPF_LOCK_CALL_FUTEX_TIME64] ||
	       nr == calls[BPF_LOCK_CALL_FUTEX_WAIT];
}

struct futex_call {
	__u64 addr;
	__u32 op, value;
};

/* Reads the wait that the current task requests. False: the call is something else. */
static __always_inline _Bool read_call(struct pt_regs *regs, __s64 nr, _Bool is_compat,
				       struct futex_call *ret)
{
	__u64 args[6];

	call_args(regs, is_compat, args);
	ret->addr = args[0];
	if (nr == constants.calls[is_compat][BPF_LOCK_CALL_FUTEX_WAIT]) {
		ret->op = FUTEX_WAIT;
		ret->value = (__u32)args[1];
		return 1;
	}
	ret->op = (__u32)args[1] & FUTEX_CMD_MASK;
	ret->value = (__u32)args[2];
	return ret->op == FUTEX_WAIT || ret->op == FUTEX_WAIT_BITSET || ret->op == FUTEX_LOCK_PI ||
	       ret->op == FUTEX_LOCK_PI2 || ret->op == FUTEX_WAIT_REQUEUE_PI;
}

/* The first words of pthread_mutex_t in glibc. */
struct libc_mutex {
	__u32 lock, count, owner, n_users, kind;
};

/* True if @n can be a thread id. The kernel gives no larger ids than PID_MAX_LIMIT. */
static __always_inline _Bool is_tid(__u32 n)
{
	return n && n <= 1 << 22;
}

/*
 * Returns the owner of the lock to which the futex belongs; 0: unknown. PI, robust and musl's locks
 * have the owner in the word itself. glibc waits while the word is 2, and its mutex has the owner
 * after the word.
 */
static __always_inline __u32 futex_owner(const struct futex_call *call)
{
	_Bool is_pi = call->op == FUTEX_LOCK_PI || call->op == FUTEX_LOCK_PI2;
	struct libc_mutex m = { 0 };
	__u32 word = call->value;

	if (is_pi)
		bpf_probe_read_user(&word, sizeof(word), (void *)call->addr);
	if (is_pi || word & FUTEX_WAITERS)
		return is_tid(word & FUTEX_TID_MASK) ? word & FUTEX_TID_MASK : 0;
	if (word != 2 || bpf_probe_read_user(&m, sizeof(m), (void *)call->addr))
		return 0;
	/* A kind consists of a type below 8 and flags (nptl/pthreadP.h); all are below 1024. */
	return is_tid(m.n_users) && m.kind < 1024 && is_tid(m.owner) ? m.owner : 0;
}

/* Unwinds the stack of the current task to @info. Returns its size; 0: it cannot be unwound. */
static __always_inline __u64 unwind_futex(struct bpf_lock_info *info)
{
	struct unwind_state *u;
	__u64 size, max = constants.user_bytes;

	u = unwind_begin();
	if (!u || unwind_user(0) != UNWIND_DONE)
		return 0;
	size = (__u64)u->n * sizeof(__u64);
	if (size > max)
		size = max;
	barrier_var(size);
	if (size > sizeof(info->stack))
		size = sizeof(info->stack);
	return bpf_probe_read_kernel(info->stack, size, u->frames) ? 0 : size;
}

static __always_inline void set_futex_stack(void *ctx, struct bpf_lock_info *info, _Bool unwinds)
{
	__u64 unwound = unwinds ? unwind_futex(info) : 0;
	long n;

	info->is_unwound = unwound != 0;
	info->stack_bytes = unwound;
	if (unwound)
		return;
	n = bpf_get_stack(ctx, info->stack, constants.user_bytes, BPF_F_USER_STACK);
	info->stack_bytes = n > 0 ? n : 0;
	if (n <= 0)
		add_loss(BPF_LOCK_LOST_STACKS);
}

static __always_inline __u32 row_of_futex(void *ctx, const struct futex_call *call, _Bool unwinds)
{
	struct bpf_lock_key key = { 0 };
	__u32 one = 1;
	struct bpf_lock_info *info = bpf_map_lookup_elem(&scratch, &one);

	if (!info)
		return constants.rows_max;
	info->flags = 0;
	info->addr = call->addr;
	info->op = call->op;
	info->value = call->value;
	info->cgroup = constants.by == BPF_LOCK_BY_CGROUP ? bpf_get_current_cgroup_id() : 0;
	set_task(info);
	key.is_futex = 1;
	key.pid = info->pid;
	set_futex_stack(ctx, info, unwinds);
	key.stack = hash_of(info->stack, info->stack_bytes);
	if (constants.owners) {
		info->tid = futex_owner(call);
		info->comm[0] = 0;
	}
	set_key(&key, info);
	/* A stack usually belongs to one lock, and the lock is part of the row's name. */
	if (constants.by == BPF_LOCK_BY_CALLER)
		key.what = info->addr;
	return find_row(&key, info);
}

static __always_inline int begin_futex(void *ctx, struct pt_regs *regs, __s64 nr, _Bool is_compat,
				       _Bool unwinds)
{
	struct bpf_lock_wait now = { .begin_ns = bpf_ktime_get_ns() }, *wait;
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	struct futex_call call;

	if (!read_call(regs, nr, is_compat, &call) || !is_meant())
		return 0;
	now.addr = call.addr;
	now.row = row_of_futex(ctx, &call, unwinds);
	wait = bpf_map_lookup_elem(&futexes, &tid);
	if (wait)
		*wait = now;
	else if (bpf_map_update_elem(&futexes, &tid, &now, BPF_ANY))
		add_loss(BPF_LOCK_LOST_TASKS);
	return 0;
}

static __always_inline int enter_call(__u64 *ctx, _Bool unwinds)
{
	__s64 nr = ctx[1];
	_Bool is_compat;

	if (!is_call(nr, 0) && !is_call(nr, 1))
		return 0;
	is_compat = task_is_compat(bpf_get_current_task_btf());
	if (is_call(nr, is_compat))
		begin_futex(ctx, (struct pt_regs *)ctx[0], nr, is_compat, unwinds);
	return 0;
}

/* The arguments are the registers and the call's number. */
SEC("tp_btf/sys_enter")
int on_enter(__u64 *ctx)
{
	return enter_call(ctx, 0);
}

/* The same for kernels that can unwind: a program of its own, because others would refuse it. */
SEC("tp_btf/sys_enter")
int on_enter_unwinding(__u64 *ctx)
{
	return enter_call(ctx, 1);
}

/* The arguments are the registers and the result. */
SEC("tp_btf/sys_exit")
int on_return(__u64 *ctx)
{
	__s64 nr = call_number((struct pt_regs *)ctx[0]);
	__u64 begin_ns, now_ns;
	struct bpf_lock_wait *wait;
	__u32 tid;

	if (!is_call(nr, 0) && !is_call(nr, 1))
		return 0;
	tid = (__u32)bpf_get_current_pid_tgid();
	wait = bpf_map_lookup_elem(&futexes, &tid);
	if (!wait || !wait->begin_ns)
		return 0;
	begin_ns = wait->begin_ns;
	wait->begin_ns = 0;
	now_ns = bpf_ktime_get_ns();
	/* -EAGAIN: the word had changed already, and the thread did not wait. */
	if ((__s64)ctx[1] != -11)
		count(wait->row, now_ns > begin_ns ? now_ns - begin_ns : 0);
	return 0;
}
