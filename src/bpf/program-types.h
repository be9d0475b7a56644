/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What perf tells its BPF programs: data that both sides lay out alike. Included by C and by BPF
 * code, so it has the kernel's types of numbers and nothing else.
 */
#include <linux/types.h>

/* More CPUs than any kernel is built for (CONFIG_NR_CPUS). */
#define PROGRAM_CPUS_MAX 8192

/* A number in the record of a tracepoint. */
struct program_field {
	__u32 offset; /* in bytes */
	__u32 size;   /* 1, 2, 4 or 8 */
	__u32 is_signed;
};

/* Whose occurrences of an event count. All zero: everybody's. */
struct program_targets {
	__u32 limits_tasks;  /* to those of the map `tasks` */
	__u32 limits_cgroup; /* to that of the map `cgroup`, and those below it */
	__u32 limits_cpus;
	struct program_field child;    /* child_pid of sched:sched_process_fork */
	struct program_field old_task; /* old_pid of sched:sched_process_exec */
	__u64 cpus[PROGRAM_CPUS_MAX / 64];
};

/* The value of a task in the map `tasks`. */
enum {
	PROGRAM_TASK_WAITS = 0, /* until it calls exec */
	PROGRAM_TASK_COUNTS = 1,
};
