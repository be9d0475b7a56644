/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that perf and trace-summary.bpf.c share: which calls are counted, and the data that
 * is kept about them.
 */
#include "bpf/program-types.h"

/* The maximum number of calls of an ABI that can be chosen, on any machine. */
#define TRACE_SUMMARY_CALLS_MAX    512
#define TRACE_SUMMARY_EXCLUDED_MAX 16
#define TRACE_SUMMARY_FORKS_MAX    4
#define TRACE_SUMMARY_BUCKETS      40

/* Rows for each thread, for each cgroup, or for all tasks. */
enum {
	TRACE_SUMMARY_BY_THREAD,
	TRACE_SUMMARY_BY_NOTHING,
	TRACE_SUMMARY_BY_CGROUP,
};

struct trace_summary_constants {
	struct program_targets targets;
	__u32 by;
	__u32 fills_buckets;
	__u64 from_ns; /* calls that began earlier do not count */
	__u32 limits_user, user;
	__u32 n_excluded;
	__u32 excluded[TRACE_SUMMARY_EXCLUDED_MAX]; /* processes */
	__u32 wants_all;
	/* A bit for each call, for 64-bit and for 32-bit programs. */
	__u64 wanted[2][TRACE_SUMMARY_CALLS_MAX / 64];
	/* The calls that also return in a new task; -1: none. */
	__s32 forks[2][TRACE_SUMMARY_FORKS_MAX];
};

/* A flag in a call's number: the call is from a 32-bit program. */
#define TRACE_SUMMARY_COMPAT 0x80000000u
/* Not a call: counts calls that have begun and never ended, because their task ended. */
#define TRACE_SUMMARY_NO_CALL 0x7fffffffu

/*
 * Only one program at a time writes to a key, so that no operation has to be atomic: @who is a
 * task, or the CPU if rows are not for threads. Rows of several CPUs must be added up.
 */
struct trace_summary_key {
	__u32 who;
	__u32 call;
	__u64 cgroup; /* an id; missing unless rows are for cgroups */
};

#define TRACE_SUMMARY_SHORT_KEY 8 /* the size of the key without @cgroup */

struct trace_summary_row {
	__u64 calls, errors;
	__u64 unseen; /* calls whose begin was not seen, counted with 0 ns */
	__u64 total_ns;
	__u64 max_ns;
	__u64 max_inverse; /* the maximum of ~ns: the shortest call; all zero: empty row */
	/* The sum of squares: 2^64 * carries + squares + 2^32 * large_squares. */
	__u64 squares, carries;
	__u64 large_squares; /* for calls of 2^32 ns or more */
	__u64 buckets[TRACE_SUMMARY_BUCKETS];
};

/* The key of a failure's count. */
struct trace_summary_error {
	struct trace_summary_key key;
	__u32 error;
	__u32 unused;
};

/* An open call of a task that was switched away. */
struct trace_summary_open {
	__u64 enter_ns; /* 0: none */
	__u32 call;
	__u32 unused;
};

/* The state of the task that runs on a CPU. */
struct trace_summary_current {
	__u64 enter_ns; /* the begin of its current call; 0: no call whose begin was seen */
	__u32 call;
	__u32 state; /* TRACE_SUMMARY_UNKNOWN, ... */
	__u32 tid;   /* valid unless the state is unknown */
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
	TRACE_SUMMARY_LOST_CALLS, /* the table of rows is full */
	TRACE_SUMMARY_LOST_TIMES, /* no space for an open call, which counts with 0 ns */
	TRACE_SUMMARY_LOSSES,
};
