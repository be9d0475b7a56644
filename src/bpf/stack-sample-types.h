/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The types that the program of `--call-graph bpf` (bpf/stack-sample.bpf.c) and its reader share.
 */
#include <linux/types.h>

#include "bpf/unwind-types.h"

struct stack_sample_constants {
	struct unwind_host host;
	__u32 no_kernel;    /* leave out the kernel's part of stacks */
	__u32 max_kernel;   /* the most frames of the kernel's part */
	__u32 is_test;      /* the kernel also writes its own sample */
	__u32 wakeup_bytes; /* bytes in the ring at which the reader is woken */
};

/*
 * A sample, followed by its frames: first those of the kernel. It is as large as unwind_state.head.
 */
struct stack_sample {
	__u64 ip, time, addr, id, stream_id, period;
	__u32 pid, tid, cpu, misc;
	__u32 n_kernel, n_user; /* numbers of frames */
	__u64 reserved[7];
};

#define STACK_SAMPLE_KERNEL_MAX 256
