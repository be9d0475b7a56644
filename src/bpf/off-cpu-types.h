/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What perf and off-cpu.bpf.c agree on: which waits count, and what is told of them.
 */
#include "bpf/program-types.h"
#include "bpf/unwind-types.h"

/* Frames that are kept of a stack: of the kernel, behind them of user space. */
#define OFF_CPU_KERNEL_FRAMES 64
#define OFF_CPU_USER_FRAMES   127
#define OFF_CPU_FRAMES        (OFF_CPU_KERNEL_FRAMES + OFF_CPU_USER_FRAMES)

#define OFF_CPU_CGROUPS_MAX 64

/* Why a task is off its CPU. */
enum off_cpu_state {
	OFF_CPU_RUNNABLE, /* it was preempted, and waits for a CPU */
	OFF_CPU_SLEEPS,
	OFF_CPU_SLEEPS_DEEPLY, /* signals do not wake it: it mostly waits for a disk */
	OFF_CPU_STOPPED,       /* by a signal or a debugger */
	OFF_CPU_STATES,
	/* Of a record in the ring that tells of no wait, but that no more is added to sums: */
	OFF_CPU_EXEC = OFF_CPU_STATES, /* the task has become another program, */
	OFF_CPU_EXIT,                  /* or has ended */
};

struct off_cpu_constants {
	struct program_targets targets;
	struct unwind_host host;
	__u32 unwinds;        /* user stacks, by bpf/unwind.bpf.h */
	__u32 n_cgroups;      /* a task counts in any of them, or below; 0: in all */
	__u32 has_prev_state; /* it is an argument of sched_switch: since Linux 5.18 */
	__u32 kernel_bytes;   /* of a kernel stack; 0: it is not asked for */
	__u32 user_bytes;
	__u32 wants_link;      /* the caller of a leaf may be in a register only: aarch64 */
	__u32 states;          /* those that count: 1 << OFF_CPU_... */
	__u32 kernel_threads;  /* they count, too */
	__u32 ring_wake_bytes; /* with so much in the ring, the reader is woken */
	__u64 threshold_ns;    /* what lasts so long is told at once */
	__u64 least_ns;        /* what is shorter does not count */
};

/* A stack as it was when its task left: addresses of the kernel, then of user space. */
struct off_cpu_frames {
	__u16 n_kernel, n_user;
	__u32 unused;
	__u64 link; /* the link register of user space; 0: nothing is to be known of it */
	__u64 words[OFF_CPU_FRAMES];
};

/* A task that is away, or (in the ring) that has come back. */
struct off_cpu_wait {
	__u64 begin_ns; /* 0: it runs */
	__u64 end_ns;
	__u64 stack_hash;
	__u32 tid, tgid;
	__u32 cpu;        /* that it left, or came back to */
	__u32 state;      /* enum off_cpu_state */
	__u32 generation; /* how often the task has called exec since it was first seen */
	__u32 has_sums;   /* of this generation */
	__u32 is_ended;   /* it has called exit: what it waits for now is of no interest */
	__u32 unused;
	struct off_cpu_frames stack; /* in the ring only as long as it is */
};

/* What short waits are summed up by. */
struct off_cpu_key {
	__u64 stack_hash;
	__u32 tid, tgid;
	__u32 state;
	__u32 generation; /* programs have other names and maps after exec */
};

struct off_cpu_sum {
	__u64 ns;
	__u64 waits;
	__u32 cpu; /* that it came back to the last time */
	__u32 unused;
};

/* Entries of the map `losses`. */
enum {
	OFF_CPU_LOST_TASKS, /* waits: no room for their task */
	OFF_CPU_LOST_WAITS, /* waits: the ring was full, */
	OFF_CPU_LOST_NS,    /* and how long they were together */
	OFF_CPU_LOSSES,
};
