/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The state of lock.bpf.c: open waits, rows and their counts; the filters for locks and tasks; and
 * the data of a row about a lock and its owner.
 */
#include <stddef.h>

#include "bpf/losses.bpf.h"
#include "bpf/targets.bpf.h"
#include "bpf/trace-kernel.bpf.h"
#include "tools/lock/bpf-types.h"

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

struct mm_struct___lock {
	struct rw_semaphore mmap_lock;
} KERNEL;

struct spinlock {
	int nothing;
};

struct sighand_struct {
	struct spinlock siglock;
} KERNEL;

struct task_struct___lock {
	struct mm_struct___lock *mm;
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
	__uint(value_size, sizeof(struct bpf_lock_info)); /* less if there are fewer frames */
} rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_lock_counts);
} counts SEC(".maps");

/* The number of indices of counts that are in use. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} next_row SEC(".maps");

/* Memory in which a program makes a row: one for waits in the kernel, one for futexes. */
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

LOSSES(BPF_LOCK_LOSSES)

#include "bpf/unwind.bpf.h"

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

/* Returns the name of a kernel lock that has no symbol. */
static __noinline __u32 name_of(__u64 addr, __u32 flags)
{
	struct task_struct___lock *task = (void *)bpf_get_current_task();

	if (flags & FLAG_SPIN) {
		struct sighand_struct *sighand = BPF_CORE_READ(task, sighand);

		if (sighand && (__u64)&sighand->siglock == addr)
			return BPF_LOCK_SIGLOCK;
	} else if (flags & (FLAG_READ | FLAG_WRITE)) {
		struct mm_struct___lock *mm = BPF_CORE_READ(task, mm);

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

/* Returns the task that has the lock at @addr. NULL: the lock does not contain its owner. */
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
		/* The word names one of the readers, which may have released the lock. */
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
	/*
	 * The stack of a task that runs on another CPU changes while it is read, so it would be
	 * useless.
	 */
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

/*
 * Returns the row of @key, which is made from @info if there is none. rows_max: the table is full.
 */
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
	/* Another CPU added it first, or the map is full. */
	found = bpf_map_lookup_elem(&rows, key);
	return found ? found->row : constants.rows_max;
}

/* Adds a wait of @ns to @row. */
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
