/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events of system calls, as an observer reports them: a BPF program (tools/trace/trace-bpf.h),
 * or the samples of tracepoints (tools/trace/samples-model.h). The model
 * (tools/trace/trace-model.h) builds calls from them.
 *
 * Events come in order of time. All data that an event points to lives until the callback returns.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/syscall.h"

enum call_event_kind {
	CALL_EVENT_ENTER,   /* a call has begun: nr, args, data */
	CALL_EVENT_EXIT,    /* a call has ended: nr, result, data; enter_ns if known, else 0 */
	CALL_EVENT_WHOLE,   /* both in one: enter_ns, nr, args, result, data */
	CALL_EVENT_BLOCKED, /* the current call waits: args, data, unless ENTER came before */
	CALL_EVENT_TASK,    /* a task is seen for the first time, or has a new name: comm */
	CALL_EVENT_FORK,    /* pid, tid of the new task; parent_tid, parent_pid */
	CALL_EVENT_END,     /* the task has ended */
	CALL_EVENT_FILE,    /* descriptor fd of the process pid is now fd_path */
	CALL_EVENT_LOST,    /* count events could not be reported */
};

/*
 * A piece of the program's memory. An argument itself has part 0. If it contains pointers, the
 * following parts are the data that they point to:
 *	COPY_IOVEC	0: the array, 1 + i: the bytes of member i
 *	COPY_MSGHDR	0: the struct, 1: its name, 2: its iovec, 3 + i: the bytes of member i
 *	COPY_MMSGHDR	0: the array (the first members); the rest as COPY_MSGHDR of the first
 *	COPY_STRINGS	i: string i; the piece with CALL_DATA_MORE ends a list that goes on
 */
enum call_data_flag {
	CALL_DATA_AT_EXIT = 1,
	CALL_DATA_FAULT = 2, /* the read failed: not in memory, or a bad pointer */
	CALL_DATA_MORE = 4,  /* there is more than was copied */
};

struct call_data {
	uint8_t arg, part, flags;
	uint32_t size;
	const uint8_t *bytes;
};

#define CALL_DATA_MAX 40

struct call_event {
	enum call_event_kind kind;
	uint8_t abi; /* enum syscall_abi */
	uint16_t cpu;
	uint32_t pid, tid;
	uint64_t time_ns;  /* time of the event; CLOCK_MONOTONIC if it is live */
	uint64_t enter_ns; /* start of the call; 0: not known */
	int32_t nr;        /* -1: not known */
	int64_t result;
	uint64_t args[SYSCALL_ARGS_MAX];
	const struct call_data *data;
	size_t n_data;
	const uint64_t
		*frames; /* the user stack at the end, if it was unwound; else n_frames is 0 */
	size_t n_frames;
	/* The members that depend on the kind. */
	const char *comm; /* TASK, FORK */
	uint32_t parent_pid, parent_tid;
	int32_t fd;
	const char
		*fd_path; /* "/etc/passwd", "socket:[123]", "pipe:[5]", "anon_inode:[eventpoll]" */
	uint64_t cgroup;  /* id; 0: not known */
	uint64_t count;
};
