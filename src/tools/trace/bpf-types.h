/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that perf and trace.bpf.c share: which calls are reported, the records of the rings,
 * and the data that is copied from the memory of programs.
 */
#include "bpf/program-types.h"
#include "bpf/unwind-types.h"

/* The maximum number of calls of an ABI, on any machine. */
#define TRACE_CALLS_MAX    512
#define TRACE_ARGS_MAX     6
#define TRACE_EXCLUDED_MAX 16

/* The two ABIs of a machine: for 64-bit programs, and for 32-bit ones. */
enum {
	TRACE_NATIVE,
	TRACE_COMPAT,
	TRACE_N_ABIS,
};

struct trace_constants {
	struct program_targets targets;
	__u32 limits_user, user;
	__u32 n_excluded;
	__u32 excluded[TRACE_EXCLUDED_MAX]; /* processes that are left out */
	__u32 wants_all;
	__u32 only_failures;
	__u32 tells_blocked;
	__u32 follows_no_forks;
	__u32 trigger_error;
	__u32 triggers_at_end;
	__u64 trigger_duration_ns; /* 0: no duration triggers */
	__u32 keeps_newest;        /* overwrite old records instead of losing new ones */
	__u32 ring_size;           /* in bytes, a power of two */
	__u32 wake_at;             /* the reader is woken at this number of bytes in a ring */
	__u64 min_duration_ns;
	struct unwind_host host; /* for programs that unwind */
	__u64 wanted[TRACE_N_ABIS][TRACE_CALLS_MAX / 64];
	/* Also calls that make descriptors, whose paths wanted calls may show. */
	__u64 watched[TRACE_N_ABIS][TRACE_CALLS_MAX / 64];
};

/*
 * Data that is copied for a call: an argument's memory, as described by struct syscall_arg. The
 * numbers are those of its enums.
 */
struct trace_copy {
	__u8 arg;
	__u8 copy;   /* enum arg_copy */
	__u8 when;   /* enum arg_when */
	__u8 length; /* enum arg_length */
	__u8 length_arg;
	__u8 length_is_32bit; /* the upper half of that argument is undefined */
	__u16 element_bytes;
	__u16 size;  /* used with LENGTH_FIXED */
	__u16 limit; /* the bytes of a piece, at most TRACE_PIECE_MAX */
};

struct trace_plan {
	__u8 n_copies;
	__u8 copies_at; /* the union of their trace_copy.when */
	__u8 no_return;
	__u8 returns_fd;
	__u8 is_exec;
	__u8 has_fd_pair; /* the call writes two new descriptors */
	__u8 fd_pair_arg; /* to the address in this argument */
	__u8 command_arg; /* 1 + the argument that selects a further copy; 0: none */
	struct trace_copy copies[TRACE_ARGS_MAX];
};

/*
 * For fcntl(), ioctl(), ...: the data that is copied for one command is a struct trace_copy, too.
 */
struct trace_variant_key {
	__u32 plan; /* the index of the call's plan */
	__u32 command;
};

#define TRACE_VARIANTS_MAX 1024

/*
 * The sizes for copied data. A call has pieces of up to TRACE_PIECE_MAX bytes each. None begins
 * beyond TRACE_PIECES_END, so that the last one has space for all of its bytes.
 */
#define TRACE_PIECE_MAX   4096
#define TRACE_PIECES_END  3400
#define TRACE_PIECES_SIZE (TRACE_PIECES_END + 8 + TRACE_PIECE_MAX)

/* The maximum numbers of pieces: in total, of an iovec, of argv or envp. */
#define TRACE_PIECES_MAX  40
#define TRACE_IOVEC_MAX   8
#define TRACE_STRINGS_MAX 32
#define TRACE_MMSG_MAX    4

/*
 * The ring of a CPU. Only programs of that CPU write to it, and they do not interrupt each other,
 * so there is no lock. Positions are bytes since the beginning, and only grow.
 *
 * Records begin at multiples of 8 and do not cross a multiple of TRACE_BLOCK: the rest of a block
 * is a TRACE_PAD record. A reader that does not know the beginnings of records therefore finds one
 * at every block.
 */
#define TRACE_BLOCK      65536
#define TRACE_RECORD_MAX 24576

struct trace_ring {
	/* Written by the programs: */
	__u64 head;
	__u64 lost;      /* records for which there was no space */
	__u64 lost_told; /* the part reported by TRACE_LOST records */
	__u64 triggers;  /* events for which a flight recorder must be read */
	__u32 is_busy;   /* a program is writing */
	__u32 unused[23];
	/* Written by the reader: */
	__u64 tail;
	__u32 is_awake; /* it is about to read; set by programs that wake it */
	__u32 unused2[29];
	__u8 bytes[];
};

enum trace_record_kind {
	TRACE_PAD,
	TRACE_ENTER,
	TRACE_EXIT,
	TRACE_WHOLE,
	TRACE_BLOCKED,
	TRACE_TASK,
	TRACE_FORK,
	TRACE_END,
	TRACE_FILE,
	TRACE_LOST,
};

/* The beginning of every record. TRACE_PAD has only the first eight bytes. */
struct trace_record {
	__u32 size; /* the whole record's size, a multiple of 8 */
	__u8 kind;
	__u8 is_compat; /* TRACE_NATIVE or TRACE_COMPAT */
	__u16 n_data;
	__u64 time_ns;
	__u32 pid, tid;
};

/*
 * TRACE_ENTER, TRACE_EXIT, TRACE_WHOLE, TRACE_BLOCKED. n_data pieces follow, and after them
 * n_frames words of 8 bytes: the user stack as bpf/unwind.bpf.h unwinds it.
 */
struct trace_call_record {
	struct trace_record record;
	__s32 nr;
	__u32 n_frames;
	__u64 enter_ns;
	__s64 result;
	__u64 args[TRACE_ARGS_MAX];
};

/* A piece of memory: see struct call_data. The bytes follow, padded to a multiple of 8. */
struct trace_piece {
	__u8 arg, part, flags, unused;
	__u32 size;
};

/* The record of TRACE_TASK, TRACE_FORK and TRACE_END. */
struct trace_task_record {
	struct trace_record record;
	__u32 parent_pid, parent_tid;
	__u64 cgroup;
	char comm[16];
};

/*
 * TRACE_FILE. Names of @names_size bytes follow, each with its NUL: those of the path from the last
 * to the first. Pipes, sockets and similar files are recognized by their file system.
 */
struct trace_file_record {
	struct trace_record record;
	__s32 fd;
	__u32 names_size;
	__u64 inode;
	__u64 magic; /* the file system's number: linux/magic.h */
};

struct trace_lost_record {
	struct trace_record record;
	__u64 count;
};
