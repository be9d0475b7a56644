/* SPDX-License-Identifier: MIT */
#pragma once
/* Definitions that kwork.bpf.c and tools/kwork/kwork-bpf.c share. */
#include <linux/types.h>

#define BPF_KWORK_NAME_MAX 32

enum {
	BPF_KWORK_RUNTIME, /* from begin to end */
	BPF_KWORK_DELAY,   /* from raise to begin */
	BPF_KWORK_USAGE,   /* the use of CPUs, by the tasks on them */
};

/* These have the order of enum kwork_class. */
enum {
	BPF_KWORK_IRQ,
	BPF_KWORK_SOFTIRQ,
	BPF_KWORK_WORKQUEUE,
	BPF_KWORK_SCHED,
	BPF_KWORK_CLASSES,
};

/* Counts of events that are not in the rows, for each CPU. */
enum {
	BPF_KWORK_FULL,     /* events without a row, because the table is full */
	BPF_KWORK_RAISES,   /* raises that were followed by another raise */
	BPF_KWORK_BEGINS,   /* begins without a raise, or followed by another begin */
	BPF_KWORK_ENDS,     /* ends without a begin */
	BPF_KWORK_SWITCHES, /* not 0 after the first switch was seen */
	BPF_KWORK_COUNTS,
};

struct bpf_kwork_constants {
	__u32 mode;
	__u32 nothing;
	__u64 begin_ns; /* the CLOCK_MONOTONIC time at which counting began */
};

struct bpf_kwork_key {
	__u64 id; /* an interrupt, a softirq, a work item, or a tid */
	__u32 cpu, class;
};

struct bpf_kwork_row {
	__u64 count, sum_ns;
	__u64 max_ns, max_begin_ns;
	__u64 begin_ns; /* the begin of the run that has not ended; 0: none */
	__u64 function; /* a work item's function */
	char name[BPF_KWORK_NAME_MAX];
};
