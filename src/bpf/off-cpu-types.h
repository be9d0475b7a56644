/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The interface between perf and off-cpu.bpf.c: the waits that count, and the data reported about
 * them.
 */
#include "bpf/program-types.h"
#include "bpf/unwind-types.h"

/*
 * The number of words of a stack that are kept: those of the kernel, followed by those of user
 * space, where an interpreted frame has two.
 */
#define OFF_CPU_KERNEL_FRAMES 64
#define OFF_CPU_USER_FRAMES   191
#define OFF_CPU_FRAMES        (OFF_CPU_KERNEL_FRAMES + OFF_CPU_USER_FRAMES)

#define OFF_CPU_CGROUPS_MAX 64

/* The reason for which a task is off its CPU. */
enum off_cpu_state {
	OFF_CPU_RUNNABLE, /* it was preempted, and waits for a CPU */
	OFF_CPU_SLEEPS,
	OFF_CPU_SLEEPS_DEEPLY, /* signals do not wake it: it mostly waits for a disk */
	OFF_CPU_STOPPED,       /* by a signal or a debugger */
	OFF_CPU_STATES,
	/* Kinds of ring records that report the end of additions to a task's sums, not a wait: */
	OFF_CPU_EXEC = OFF_CPU_STATES, /* the task has become another program */
	OFF_CPU_EXIT,                  /* the task has ended */
};

struct off_cpu_constants {
	struct program_targets targets;
	struct unwind_host host;
	__u32 unwinds;        /* unwind user stacks with bpf/unwind.bpf.h */
	__u32 n_cgroups;      /* a task counts if it is in any of them, or below; 0: always */
	__u32 has_prev_state; /* an argument of sched_switch since Linux 5.18 */
	__u32 kernel_bytes;   /* size of a kernel stack; 0: not requested */
	__u32 user_bytes;
	__u32 wants_link;      /* aarch64: a leaf's caller may be in a register only */
	__u32 states;          /* the states that count: 1 << OFF_CPU_... */
	__u32 kernel_threads;  /* kernel threads count, too */
	__u32 ring_wake_bytes; /* the reader is woken when the ring contains this much */
	__u64 threshold_ns;    /* a wait of at least this length is reported at once */
	__u64 least_ns;        /* a shorter wait does not count */
};

/* A stack at the moment when its task left: addresses of the kernel, then of user space. */
struct off_cpu_frames {
	__u16 n_kernel, n_user;
	__u32 unused;
	__u64 link; /* the link register of user space; 0: not known */
	__u64 words[OFF_CPU_FRAMES];
};

/* A task that is away, or (in the ring) that has come back. */
struct off_cpu_wait {
	__u64 begin_ns; /* 0: the task is running */
	__u64 end_ns;
	__u64 stack_hash;
	__u32 tid, tgid;
	__u32 cpu;        /* the CPU that it left, or to which it came back */
	__u32 state;      /* enum off_cpu_state */
	__u32 generation; /* number of execs of the task since it was first seen */
	__u32 has_sums;   /* there are sums of this generation */
	__u32 is_ended;   /* it has called exit: its waits are no longer of interest */
	__u32 unused;
	struct off_cpu_frames stack; /* truncated to its actual length in the ring */
};

/* The key by which short waits are summed up. */
struct off_cpu_key {
	__u64 stack_hash;
	__u32 tid, tgid;
	__u32 state;
	__u32 generation; /* programs have other names and maps after exec */
};

struct off_cpu_sum {
	__u64 ns;
	__u64 waits;
	__u32 cpu; /* the CPU to which it came back the last time */
	__u32 unused;
};

/* Entries of the map `losses`. */
enum {
	OFF_CPU_LOST_TASKS, /* waits of tasks for which there was no space */
	OFF_CPU_LOST_WAITS, /* waits that found the ring full */
	OFF_CPU_LOST_NS,    /* and their total time */
	OFF_CPU_LOSSES,
};
