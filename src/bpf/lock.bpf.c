/* SPDX-License-Identifier: MIT */
/*
 * Counts waits for locks: those of the kernel (lock:contention_begin to contention_end), and those
 * for futexes, which locks of user space are made of.
 *
 * The begin does the work, because its task is about to wait anyway: it reads the stack and finds
 * the row. The end, after which the task has the lock that others want, looks at the clock and adds
 * to counts that are this CPU's alone.
 *
 * A wait that spins cannot leave its CPU, but interrupts may come and spin as well. A wait that
 * sleeps belongs to its task, and may have others inside (the wait_lock of a mutex, or the rt_mutex
 * of a read-write lock). So there is a small stack of open waits for each CPU, and one for each
 * task. The kernel takes locks in the midst of everything, its memory allocator included: so all
 * maps are allocated before.
 */
#include <linux/futex.h>
#include <stddef.h>

#include "bpf/lock-types.h"
#include "bpf/targets.bpf.h"
#include "bpf/trace-kernel.bpf.h"

char program_license[] SEC("license") = "Dual MIT/GPL";

const volatile struct bpf_lock_constants constants = { 0 };

/* The kernel's LCB_F_* (include/trace/events/lock.h). */
enum {
	FLAG_SPIN = 1 << 0,
	FLAG_READ = 1 << 1,
	FLAG_WRITE = 1 << 2,
	FLAG_RT = 1 << 3,
	FLAG_PERCPU = 1 << 4,
	FLAG_MUTEX = 1 << 5,
	FLAGS_ALL = 63,
};

/* Low bits of the word that points to the owner of a mutex or rwsem. */
#define OWNER_BITS           7
#define RWSEM_READERS_OWN_IT 1

struct counter {
	__u64 counter;
} KERNEL;

struct mutex {
	struct counter owner;
} KERNEL;

struct rw_semaphore {
	struct counter owner;
} KERNEL;

struct rt_mutex_base {
	void *owner;
} KERNEL;

struct mm_struct {
	struct rw_semaphore mmap_lock;
} KERNEL;

struct spinlock {
	int nothing;
};

struct sighand_struct {
	struct spinlock siglock;
} KERNEL;

struct task_struct___lock {
	struct mm_struct *mm;
	struct sighand_struct *sighand;
	char comm[BPF_LOCK_COMM_MAX];
	int pid, tgid;
	int on_cpu;
} KERNEL;

struct kmem_cache {
	const char *name;
} KERNEL;

extern struct kmem_cache *bpf_get_kmem_cache(__u64 addr) __ksym __weak;
extern struct task_struct *bpf_task_from_pid(__s32 pid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;

/* By CPU: waits that spin. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_lock_waits);
} spinning SEC(".maps");

/* By task: waits that sleep, and waits for a futex. Entries stay until the task ends. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_lock_waits);
} sleeping SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_lock_wait);
} futexes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct bpf_lock_key));
	__uint(value_size, sizeof(struct bpf_lock_info)); /* or less: the frames that there are */
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_lock_counts);
} counts SEC(".maps");

/* How many indices of counts are given away. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} next_row SEC(".maps");

/* Where a program makes a row: one for waits of the kernel, one for futexes. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct bpf_lock_info);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, BPF_LOCK_CGROUPS_MAX);
	__type(key, __u32);
	__type(value, __u32);
} cgroups SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BPF_LOCK_LOSSES);
	__type(key, __u32);
	__type(value, __u64);
} losses SEC(".maps");

static __always_inline void add_loss(__u32 which)
{
	__u64 *count = bpf_map_lookup_elem(&losses, &which);

	if (count)
		*count += 1;
}

static __always_inline _Bool is_in_cgroups(void)
{
	for (__u32 i = 0; i < BPF_LOCK_CGROUPS_MAX; i++) {
		if (i >= constants.n_cgroups)
			break;
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return 1;
	}
	return 0;
}

static __always_inline _Bool is_meant(void)
{
	if (!is_target(&constants.targets))
		return 0;
	if (constants.limits_user && (__u32)bpf_get_current_uid_gid() != constants.user)
		return 0;
	return !constants.n_cgroups || is_in_cgroups();
}

/* What a lock of the kernel is called that has no symbol. */
static __noinline __u32 name_of(__u64 addr, __u32 flags)
{
	struct task_struct___lock *task = (void *)bpf_get_current_task();

	if (flags & FLAG_SPIN) {
		struct sighand_struct *sighand = BPF_CORE_READ(task, sighand);

		if (sighand && (__u64)&sighand->siglock == addr)
			return BPF_LOCK_SIGLOCK;
	} else if (flags & (FLAG_READ | FLAG_WRITE)) {
		struct mm_struct *mm = BPF_CORE_READ(task, mm);

		if (mm && (__u64)&mm->mmap_lock == addr)
			return BPF_LOCK_MMAP_LOCK;
	}
	return BPF_LOCK_UNNAMED;
}

static __always_inline _Bool is_wanted(__u64 addr, __u32 flags)
{
	if (!(constants.wanted_flags >> (flags & FLAGS_ALL) & 1))
		return 0;
	if (!constants.limits_locks)
		return 1;
	for (__u32 i = 0; i < BPF_LOCK_ADDRS_MAX; i++) {
		if (i >= constants.n_addrs)
			break;
		if (constants.addrs[i] == addr)
			return 1;
	}
	return constants.named && constants.named >> name_of(addr, flags) & 1;
}

static __always_inline __u64 hash_of(const __u64 *words, __s64 bytes)
{
	__u64 hash = 0x9e3779b97f4a7c15;

	for (__s64 i = 0; i < BPF_LOCK_FRAMES_MAX; i++) {
		if (i * 8 >= bytes)
			break;
		hash = (hash ^ words[i]) * 0xff51afd7ed558ccd;
		hash ^= hash >> 32;
	}
	return hash;
}

/* The task that has the lock at @addr; NULL: the lock does not tell. */
static __always_inline struct task_struct___lock *owner_of(__u64 addr, __u32 flags)
{
	__u64 owner = 0;

	if (flags & FLAG_MUTEX) {
		bpf_probe_read_kernel(&owner, sizeof(owner), &((struct mutex *)addr)->owner);
	} else if (flags & FLAG_RT) {
		/* The base of a read-write lock has its owner elsewhere. */
		if (!(flags & (FLAG_READ | FLAG_WRITE)) &&
		    bpf_core_field_exists(((struct rt_mutex_base *)0)->owner))
			bpf_probe_read_kernel(&owner, sizeof(owner),
					      &((struct rt_mutex_base *)addr)->owner);
	} else if (flags & (FLAG_READ | FLAG_WRITE) && !(flags & (FLAG_SPIN | FLAG_PERCPU))) {
		bpf_probe_read_kernel(&owner, sizeof(owner), &((struct rw_semaphore *)addr)->owner);
		/* The word then names one of the readers, which may have left. */
		if (owner & RWSEM_READERS_OWN_IT)
			owner = 0;
	}
	return (void *)(owner & ~(__u64)OWNER_BITS);
}

static __always_inline void set_owner_stack(struct bpf_lock_info *info)
{
	struct task_struct *task;
	long n;

	if (!bpf_task_from_pid || !bpf_task_release)
		return;
	task = bpf_task_from_pid(info->tid);
	if (!task)
		return;
	n = bpf_get_task_stack(task, info->stack, constants.kernel_bytes, 0);
	info->stack_bytes = n > 0 ? n : 0;
	bpf_task_release(task);
}

static __always_inline void set_owner(struct bpf_lock_info *info)
{
	struct task_struct___lock *owner = owner_of(info->addr, info->flags);

	info->pid = info->tid = info->stack_bytes = 0;
	info->comm[0] = 0;
	if (owner) {
		info->pid = BPF_CORE_READ(owner, tgid);
		info->tid = BPF_CORE_READ(owner, pid);
		bpf_probe_read_kernel(info->comm, sizeof(info->comm), &owner->comm);
	}
	/* The stack of a task that runs on another CPU changes while it is read: it is nonsense. */
	if (constants.kernel_bytes && info->tid && !BPF_CORE_READ(owner, on_cpu))
		set_owner_stack(info);
}

static __always_inline void set_task(struct bpf_lock_info *info)
{
	__u64 pid_tid = bpf_get_current_pid_tgid();

	info->pid = pid_tid >> 32;
	info->tid = (__u32)pid_tid;
	if (constants.by == BPF_LOCK_BY_TASK)
		bpf_get_current_comm(info->comm, sizeof(info->comm));
}

static __always_inline void set_key(struct bpf_lock_key *key, const struct bpf_lock_info *info)
{
	if (constants.by == BPF_LOCK_BY_TASK)
		key->what = info->tid;
	else if (constants.by == BPF_LOCK_BY_ADDR)
		key->what = info->addr;
	else if (constants.by == BPF_LOCK_BY_CGROUP)
		key->what = info->cgroup;
}

static __always_inline void set_cache(struct bpf_lock_info *info)
{
	struct kmem_cache *cache;

	info->cache[0] = 0;
	if (!bpf_get_kmem_cache)
		return;
	cache = bpf_get_kmem_cache(info->addr);
	if (cache)
		bpf_probe_read_kernel_str(info->cache, sizeof(info->cache), cache->name);
}

static __always_inline __u32 take_row(void)
{
	__u32 zero = 0, *next = bpf_map_lookup_elem(&next_row, &zero);

	if (!next || *next >= constants.rows_max)
		return constants.rows_max;
	return __sync_fetch_and_add(next, 1);
}

/* The row of @key, made of @info if there is none. rows_max: there is no room. */
static __always_inline __u32 find_row(const struct bpf_lock_key *key, struct bpf_lock_info *info)
{
	struct bpf_lock_info *found = bpf_map_lookup_elem(&rows, key);

	if (found)
		return found->row;
	info->row = take_row();
	if (constants.by == BPF_LOCK_BY_ADDR && !key->is_futex) {
		info->name = name_of(info->addr, info->flags);
		set_cache(info);
	}
	if (info->row >= constants.rows_max)
		return constants.rows_max;
	if (!bpf_map_update_elem(&rows, key, info, BPF_NOEXIST))
		return info->row;
	/* Another CPU was faster, or the map is full. */
	found = bpf_map_lookup_elem(&rows, key);
	return found ? found->row : constants.rows_max;
}

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
	/* A mutex begins to spin, and begins again when it goes to sleep: it is one wait. */
	if (!spins && is_open(w, addr))
		return 0;
	n = w->n;
	if (n >= BPF_LOCK_NESTED_MAX) {
		/* None of them can be open any more: their ends were not seen. */
		add_loss(spins ? BPF_LOCK_LOST_ENDS : BPF_LOCK_LOST_NESTED);
		w->n = n = 0;
	}
	/* Interrupts that spin from here on take the next place. */
	w->n = n + 1;
	wait = &w->items[n & (BPF_LOCK_NESTED_MAX - 1)];
	wait->addr = 0;
	row = row_of_kernel_lock(ctx, addr, flags);
	wait->row = row;
	wait->begin_ns = begin_ns;
	wait->addr = addr;
	return 0;
}

static __always_inline void count(__u32 row, __u64 ns)
{
	struct bpf_lock_counts *c = bpf_map_lookup_elem(&counts, &row);

	if (!c) {
		add_loss(BPF_LOCK_LOST_ROWS);
		return;
	}
	c->waits++;
	c->total_ns += ns;
	if (ns > c->max_ns)
		c->max_ns = ns;
	if (~ns > c->max_inverse)
		c->max_inverse = ~ns;
}

/* Ends the wait for @addr, if it is among @w, with all that began later. */
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

/* The wait that the current task asks for; false: it asks for something else. */
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

/* The first words of glibc's pthread_mutex_t. */
struct libc_mutex {
	__u32 lock, count, owner, n_users, kind;
};

/* The kernel gives no larger ids: PID_MAX_LIMIT. */
static __always_inline _Bool is_tid(__u32 n)
{
	return n && n <= 1 << 22;
}

/*
 * Who has the lock that the futex is part of; 0: not known. PI, robust and musl's locks have it in
 * the word itself. glibc's waits while the word is 2, and its mutex has the owner behind the word.
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
	/* Kinds have a type below 8 and flags (nptl/pthreadP.h), all below 1024. */
	return is_tid(m.n_users) && m.kind < 1024 && is_tid(m.owner) ? m.owner : 0;
}

static __always_inline __u32 row_of_futex(void *ctx, const struct futex_call *call)
{
	struct bpf_lock_key key = { 0 };
	__u32 one = 1;
	struct bpf_lock_info *info = bpf_map_lookup_elem(&scratch, &one);
	long n;

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
	n = bpf_get_stack(ctx, info->stack, constants.user_bytes, BPF_F_USER_STACK);
	info->stack_bytes = n > 0 ? n : 0;
	if (n <= 0)
		add_loss(BPF_LOCK_LOST_STACKS);
	key.stack = hash_of(info->stack, info->stack_bytes);
	if (constants.owners) {
		info->tid = futex_owner(call);
		info->comm[0] = 0;
	}
	set_key(&key, info);
	/* A stack is of one lock, as a rule; and the lock is part of its row's name. */
	if (constants.by == BPF_LOCK_BY_CALLER)
		key.what = info->addr;
	return find_row(&key, info);
}

static __noinline int begin_futex(void *ctx, struct pt_regs *regs, __s64 nr, _Bool is_compat)
{
	struct bpf_lock_wait now = { .begin_ns = bpf_ktime_get_ns() }, *wait;
	__u32 tid = (__u32)bpf_get_current_pid_tgid();
	struct futex_call call;

	if (!read_call(regs, nr, is_compat, &call) || !is_meant())
		return 0;
	now.addr = call.addr;
	now.row = row_of_futex(ctx, &call);
	wait = bpf_map_lookup_elem(&futexes, &tid);
	if (wait)
		*wait = now;
	else if (bpf_map_update_elem(&futexes, &tid, &now, BPF_ANY))
		add_loss(BPF_LOCK_LOST_TASKS);
	return 0;
}

/* Arguments: registers, number. */
SEC("tp_btf/sys_enter")
int on_enter(__u64 *ctx)
{
	__s64 nr = ctx[1];
	_Bool is_compat;

	if (!is_call(nr, 0) && !is_call(nr, 1))
		return 0;
	is_compat = task_is_compat(bpf_get_current_task_btf());
	if (is_call(nr, is_compat))
		begin_futex(ctx, (struct pt_regs *)ctx[0], nr, is_compat);
	return 0;
}

/* Arguments: registers, result. */
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
	/* -EAGAIN: the word had changed already, and nobody waited. */
	if ((__s64)ctx[1] != -11)
		count(wait->row, now_ns > begin_ns ? now_ns - begin_ns : 0);
	return 0;
}

/* Arguments: the parent, the new task. That one does not run yet: nothing is missed. */
SEC("tp_btf/sched_process_fork")
int on_fork(__u64 *ctx)
{
	struct task_struct *child = (void *)ctx[1];

	if (target_task())
		add_task(child->pid);
	return 0;
}

/* Arguments: the task, its id before. A thread that calls exec gets the id of its process. */
SEC("tp_btf/sched_process_exec")
int on_exec(__u64 *ctx)
{
	__u32 tid = (__u32)bpf_get_current_pid_tgid(), old = (__u32)ctx[1];

	if (!bpf_map_lookup_elem(&tasks, &old))
		return 0;
	if (old != tid)
		bpf_map_delete_elem(&tasks, &old);
	add_task(tid);
	return 0;
}

/* A row of the task's own has the name that it had at last. */
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
