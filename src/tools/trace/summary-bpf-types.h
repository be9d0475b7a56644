/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What perf and trace-summary.bpf.c agree on: which calls are counted, and what is kept of them.
 */
#include "bpf/program-types.h"

/* Numbers of calls of an ABI that can be chosen: no machine has more. */
#define TRACE_SUMMARY_CALLS_MAX    512
#define TRACE_SUMMARY_EXCLUDED_MAX 16
#define TRACE_SUMMARY_FORKS_MAX    4
#define TRACE_SUMMARY_BUCKETS      40

/* Rows of each thread, of each cgroup, or of all tasks. */
enum {
	TRACE_SUMMARY_BY_THREAD,
	TRACE_SUMMARY_BY_NOTHING,
	TRACE_SUMMARY_BY_CGROUP,
};

struct trace_summary_constants {
	struct program_targets targets;
	__u32 by;
	__u32 fills_buckets;
	__u64 from_ns; /* calls that began before that do not count */
	__u32 limits_user, user;
	__u32 n_excluded;
	__u32 excluded[TRACE_SUMMARY_EXCLUDED_MAX]; /* processes */
	__u32 wants_all;
	/* A bit per call, for 64-bit and for 32-bit programs. */
	__u64 wanted[2][TRACE_SUMMARY_CALLS_MAX / 64];
	/* The calls that return in a new task, too; -1: none. */
	__s32 forks[2][TRACE_SUMMARY_FORKS_MAX];
};

/* A call's number, and whether it is one of a 32-bit program. */
#define TRACE_SUMMARY_COMPAT 0x80000000u
/* Not a call: counts calls that have begun and never ended, because their task did. */
#define TRACE_SUMMARY_NO_CALL 0x7fffffffu

/*
 * Only one program at a time writes what is under a key, so that nothing has to be atomic: @who is
 * a task, or the CPU if rows are not of threads. Rows of several CPUs are to be added up.
 */
struct trace_summary_key {
	__u32 who;
	__u32 call;
	__u64 cgroup; /* an id; not there unless rows are of cgroups */
};

#define TRACE_SUMMARY_SHORT_KEY 8 /* bytes of the key without @cgroup */

struct trace_summary_row {
	__u64 calls, errors;
	__u64 unseen; /* calls whose begin was not seen: they took 0 ns */
	__u64 total_ns;
	__u64 max_ns;
	__u64 max_inverse; /* of ~ns: the shortest call. So zeros are an empty row. */
	/* The sum of squares: 2^64 * carries + squares + 2^32 * large_squares. */
	__u64 squares, carries;
	__u64 large_squares; /* of calls of 2^32 ns and more */
	__u64 buckets[TRACE_SUMMARY_BUCKETS];
};

/* The key of a failure's count. */
struct trace_summary_error {
	struct trace_summary_key key;
	__u32 error;
	__u32 unused;
};

/* A call that has begun, of a task that was switched away from. */
struct trace_summary_open {
	__u64 enter_ns; /* 0: none */
	__u32 call;
	__u32 unused;
};

/* What is known on a CPU of the task that runs there. */
struct trace_summary_current {
	__u64 enter_ns; /* of the call in which it is; 0: none that was seen */
	__u32 call;
	__u32 state; /* TRACE_SUMMARY_UNKNOWN, ... */
	__u32 tid;   /* these are valid unless the state is unknown */
	__u32 unused;
	__u64 cgroup;
};

enum {
	TRACE_SUMMARY_UNKNOWN,
	TRACE_SUMMARY_COUNTS,
	TRACE_SUMMARY_LEFT_OUT,
};

#define TRACE_SUMMARY_COMM_MAX 16

/* Entries of the map `losses`. */
enum {
	TRACE_SUMMARY_LOST_CALLS, /* no room for a row */
	TRACE_SUMMARY_LOST_TIMES, /* no room for a call that has begun: it takes 0 ns */
	TRACE_SUMMARY_LOSSES,
};
