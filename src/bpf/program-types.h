/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Data that perf passes to its BPF programs, laid out alike on both sides. C and BPF code include
 * this file, so it contains the kernel's number types and nothing else.
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

/* The tasks whose occurrences of an event count. All zero: all tasks. */
struct program_targets {
	__u32 limits_tasks;  /* to the tasks of the map `tasks` */
	__u32 limits_cgroup; /* to the cgroup of the map `cgroup`, and those below it */
	__u32 limits_cpus;
	struct program_field child;    /* child_pid of sched:sched_process_fork */
	struct program_field old_task; /* old_pid of sched:sched_process_exec */
	__u64 cpus[PROGRAM_CPUS_MAX / 64];
};

/* The value of a task in the map `tasks`. */
enum {
	PROGRAM_TASK_WAITS = 0, /* does not count until it calls exec */
	PROGRAM_TASK_COUNTS = 1,
};
