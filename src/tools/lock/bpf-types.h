/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that perf and lock.bpf.c share: which waits for locks are counted, and the data that
 * is kept about them.
 */
#include "bpf/program-types.h"
#include "bpf/unwind-types.h"

/*
 * The maximum number of frames of a stack that are kept. The innermost ones belong to the
 * tracepoint itself.
 */
#define BPF_LOCK_FRAMES_MAX 144

#define BPF_LOCK_ADDRS_MAX   64
#define BPF_LOCK_CGROUPS_MAX 64
#define BPF_LOCK_COMM_MAX    16
#define BPF_LOCK_CACHE_MAX   32

/* The maximum number of nested open waits of a task, or of a CPU that spins. */
#define BPF_LOCK_NESTED_MAX 4

/* The meaning of a row. */
enum bpf_lock_by {
	BPF_LOCK_BY_CALLER,
	BPF_LOCK_BY_TASK,
	BPF_LOCK_BY_ADDR,
	BPF_LOCK_BY_CGROUP,
};

/* Locks that are found through their owner; bits of bpf_lock_constants.named. */
enum bpf_lock_name {
	BPF_LOCK_UNNAMED,
	BPF_LOCK_MMAP_LOCK, /* the lock of the task's memory */
	BPF_LOCK_SIGLOCK,   /* the lock of the task's signal handlers */
	BPF_LOCK_NAMES,
};

/* System calls that may wait for a futex. */
enum {
	BPF_LOCK_CALL_FUTEX,        /* futex(addr, op, value, ...) */
	BPF_LOCK_CALL_FUTEX_TIME64, /* likewise, of 32-bit programs */
	BPF_LOCK_CALL_FUTEX_WAIT,   /* futex_wait(addr, value, ...) */
	BPF_LOCK_CALLS,
};

struct bpf_lock_constants {
	struct program_targets targets;
	struct unwind_host host;
	__u32 by;           /* enum bpf_lock_by */
	__u32 owners;       /* tasks and stacks are those of the lock's holder */
	__u32 kernel_bytes; /* the size of a kernel stack; 0: not requested */
	__u32 user_bytes;   /* the size of a user-space stack */
	__u32 rows_max;
	__u32 limits_user, user; /* only tasks of this user count */
	__u32 n_cgroups;         /* 0: all */
	/* Only locks in @addrs and @named count. */
	__u32 limits_locks;
	__u32 n_addrs;
	__u32 named;
	__u64 addrs[BPF_LOCK_ADDRS_MAX];
	/* A bit for each combination of the kernel's flags (LCB_F_*, six of them) that counts. */
	__u64 wanted_flags;
	/* Numbers of system calls, for 64-bit and for 32-bit programs; -1: does not exist. */
	__s32 calls[2][BPF_LOCK_CALLS];
};

/* The key of a row. Members that are not part of the grouping are 0. */
struct bpf_lock_key {
	__u64 what;  /* an address, a task, a cgroup */
	__u64 stack; /* the stack's hash */
	__u32 pid;   /* for a futex, whose address is valid only in its process */
	__u32 is_futex;
};

/* Data that is kept when the first wait of a row begins. */
struct bpf_lock_info {
	__u32 row; /* the index of its counts */
	__u32 flags;
	__u32 pid, tid; /* with owners, those of the owner; 0: unknown */
	__u64 addr;
	__u64 cgroup;
	__u32 name; /* enum bpf_lock_name */
	__u32 stack_bytes;
	/* Only for a futex: */
	__u32 op;         /* FUTEX_WAIT, ... */
	__u32 value;      /* the expected value */
	__u32 is_unwound; /* the stack is one of bpf/unwind.bpf.h */
	__u32 unused;
	char comm[BPF_LOCK_COMM_MAX];
	char cache[BPF_LOCK_CACHE_MAX]; /* the slab cache that contains the lock; or "" */
	__u64 stack[BPF_LOCK_FRAMES_MAX];
};

/* The counts of a row on a CPU. All zero means no waits. */
struct bpf_lock_counts {
	__u64 waits;
	__u64 total_ns;
	__u64 max_ns;
	__u64 max_inverse; /* the maximum of ~ns: the shortest wait */
};

struct bpf_lock_wait {
	__u64 addr;
	__u64 begin_ns;
	__u32 row;
	__u32 unused;
};

/* The waits that have begun. */
struct bpf_lock_waits {
	__u32 n;
	__u32 unused;
	struct bpf_lock_wait items[BPF_LOCK_NESTED_MAX];
};

/* Entries of the map `losses`. */
enum {
	BPF_LOCK_LOST_TASKS,  /* waits: the table of tasks is full */
	BPF_LOCK_LOST_ROWS,   /* waits: the table of rows is full */
	BPF_LOCK_LOST_STACKS, /* waits without a stack: the kernel could not read it */
	BPF_LOCK_LOST_NESTED, /* waits nested too deeply */
	BPF_LOCK_LOST_ENDS,   /* waits whose end was not seen */
	BPF_LOCK_LOSSES,
};
