/* SPDX-License-Identifier: MIT */
#pragma once
/* The state that trace.bpf.c keeps for a task: whether it is watched, and its current call. */
#include "tools/trace/bpf-types.h"

struct task_state {
	__u32 pid, tid;
	_Bool counts;    /* false: it waits for exec, or is left out */
	_Bool waits;     /* it waits for exec */
	_Bool is_named;  /* its name was reported */
	_Bool is_open;   /* it is in a call */
	_Bool is_told;   /* a record reported its begin */
	_Bool is_silent; /* only the descriptors that it makes are reported */
	_Bool is_compat;
	_Bool has_faults; /* some of the memory could not be copied */
	__u8 n_data;
	__s32 nr;
	__u32 data_size;
	__u64 enter_ns;
	__u64 args[TRACE_ARGS_MAX];
	__u8 data[TRACE_PIECES_SIZE]; /* struct trace_piece, each followed by its bytes */
};
